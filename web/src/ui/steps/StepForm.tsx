import { t } from '@lingui/core/macro';
import type { ComponentProps, ReactNode } from 'react';
import { Notice } from '../feedback/Notice.tsx';
import { BusyButton } from '../form/BusyButton.tsx';
import classes from './steps.module.css';

interface StepFormProps extends Omit<ComponentProps<'form'>, 'className'> {
  isBusy?: boolean;
  submitText?: string;
  busyText?: string;
  /** The content is taller than a field, so the button stays at the bottom of the screen. */
  isTall?: boolean;
  /** Why the step was refused, if that belongs to no field. */
  problem?: string | null;
  /** Below the button. */
  foot?: ReactNode;
}

/** The form of a step: its fields, and one filled button. */
export function StepForm(props: StepFormProps) {
  const { isBusy = false, submitText, busyText, isTall, problem = null, foot, children, ...form } = props;
  return (
    <form noValidate className={classes.form} data-tall={isTall} {...form}>
      {children}
      {problem !== null && <Notice kind="error">{problem}</Notice>}
      <div className={classes.foot}>
        <BusyButton
          type="submit"
          size="lg"
          px="0.75rem"
          fz="min(1.125rem, 7vw)"
          fullWidth
          isBusy={isBusy}
          busyText={busyText ?? t`Saving...`}
        >
          {submitText ?? t`Continue`}
        </BusyButton>
        {foot}
      </div>
    </form>
  );
}
