import { Box, type BoxProps } from '@mantine/core';
import type { ComponentProps, ReactNode } from 'react';
import classes from './form.module.css';

type FormProps = Omit<ComponentProps<'form'>, 'style' | 'className'> & Pick<BoxProps, 'maw' | 'mt' | 'w'>;

/** A form with one field per line. Its own error messages replace the browser's. */
export function Form(props: FormProps) {
  return <Box component="form" noValidate className={classes.form} {...props} />;
}

interface FieldRowProps {
  /** The fields are only for a few digits each. */
  isShort?: boolean;
  children: ReactNode;
}

/** Fields next to each other, if there is room. */
export function FieldRow({ isShort = false, children }: FieldRowProps) {
  return (
    <div className={classes.pair} data-short={isShort || undefined}>
      {children}
    </div>
  );
}
