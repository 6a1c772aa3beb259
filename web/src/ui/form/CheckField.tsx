import { type ComponentProps, useId } from 'react';
import classes from './Field.module.css';
import type { FieldTexts } from './Field.tsx';

type CheckFieldProps = FieldTexts & Omit<ComponentProps<'input'>, 'id' | 'className' | 'type'>;

/** A checkbox with its label; its description and error are below. */
export function CheckField({ label, description, error, ...box }: CheckFieldProps) {
  const id = useId();
  const describedBy = [error && `${id}-error`, description && `${id}-description`].filter(Boolean).join(' ');
  return (
    <div className={classes.check}>
      <input
        {...box}
        id={id}
        type="checkbox"
        className={classes.box}
        aria-invalid={error ? true : undefined}
        aria-describedby={describedBy || undefined}
      />
      <div className={classes.texts}>
        <label className={classes.checkFieldLabel} htmlFor={id}>
          {label}
        </label>
        {description && (
          <p id={`${id}-description`} className={classes.checkFieldDescription}>
            {description}
          </p>
        )}
        {error && (
          <p id={`${id}-error`} className={classes.checkFieldError}>
            {error}
          </p>
        )}
      </div>
    </div>
  );
}
