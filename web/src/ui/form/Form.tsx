import { Box, type BoxProps } from '@mantine/core';
import { type ComponentProps, type ReactNode, useId } from 'react';
import classes from './form.module.css';
import { ErrorText, HintText } from './Field.tsx';

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

interface ChoiceGroupProps<Value extends string> {
  type: 'radio' | 'checkbox';
  name: string;
  legend: string;
  /** Shows the legend to screen readers only, where it is the title of a fold. */
  hidesLegend?: boolean;
  /** Translated labels, or unchanged texts by members. */
  choices: readonly { value: Value; label: ReactNode }[];
  chosen: readonly string[];
  /** Arranges the choices in columns, if there is room; with `even`, they have the same width. Tiles are tinted, and chips small, without a control. */
  isRow?: boolean | 'even' | 'tiles' | 'large-tiles' | 'chips';
  isRequired?: boolean;
  isDisabled?: boolean;
  hint?: string | undefined;
  error?: string | undefined;
  onChange: (chosen: Value[]) => void;
}

/** Radio buttons or checkboxes for a few options, one per line. */
export function ChoiceGroup<Value extends string>(props: ChoiceGroupProps<Value>) {
  const { type, name, legend, choices, chosen, isRow = false, isDisabled = false, hint, error, onChange } = props;
  const { hidesLegend = false, isRequired = false } = props;
  const id = useId();
  const describedBy = [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ');

  function choose(value: Value, isChosen: boolean) {
    if (type === 'radio') onChange([value]);
    else onChange(choices.map((choice) => choice.value).filter((v) => (v === value ? isChosen : chosen.includes(v))));
  }

  return (
    <fieldset disabled={isDisabled} aria-describedby={describedBy || undefined}>
      <legend className={hidesLegend ? 'visually-hidden' : undefined}>
        {legend}
        {isRequired && <span aria-hidden="true"> *</span>}
      </legend>
      <div className={classes.choices} data-row={isRow || undefined}>
        {choices.map(({ value, label }) => (
          <label key={value} className={classes.choice}>
            <input
              type={type}
              name={name}
              value={value}
              checked={chosen.includes(value)}
              required={isRequired}
              onChange={(event) => choose(value, event.currentTarget.checked)}
            />
            <span>{label}</span>
          </label>
        ))}
      </div>
      {error && <ErrorText id={`${id}-error`}>{error}</ErrorText>}
      {hint && <HintText id={`${id}-hint`}>{hint}</HintText>}
    </fieldset>
  );
}
