import { type ComponentProps, useId } from 'react';
import { ErrorText, HintText } from '../form/Field.tsx';
import { stepTitleId, useFirstField } from './StepPage.tsx';
import fields from '../form/Field.module.css';
import classes from './steps.module.css';

interface StepFieldProps extends Omit<ComponentProps<'input'>, 'id' | 'className' | 'ref'> {
  description?: string;
  error?: string | undefined;
}

/** The large field of a step with one question, which is its label unless it has an `aria-label`. It takes the focus when the step opens. */
export function StepField({ description, error, ...input }: StepFieldProps) {
  const id = useId();
  const field = useFirstField();
  const describedBy = [error && `${id}-error`, description && `${id}-description`].filter(Boolean).join(' ');
  return (
    <div>
      <input
        ref={field}
        type="text"
        dir="auto"
        required
        aria-labelledby={input['aria-label'] === undefined ? stepTitleId : undefined}
        {...input}
        className={`${fields.control} ${classes.field}`}
        aria-invalid={error ? true : undefined}
        aria-describedby={describedBy || undefined}
      />
      {error && <ErrorText id={`${id}-error`}>{error}</ErrorText>}
      {description && <HintText id={`${id}-description`}>{description}</HintText>}
    </div>
  );
}
