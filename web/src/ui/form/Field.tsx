import { type ReactNode, useId } from 'react';
import classes from './Field.module.css';

export interface FieldTexts {
  label: ReactNode;
  /** What to know before typing. */
  description?: string;
  error?: string | undefined;
}

/** The attributes that connect a control to its texts. */
interface FieldTies {
  id: string;
  className: string | undefined;
  'aria-invalid': true | undefined;
  'aria-describedby': string | undefined;
}

interface FieldProps extends FieldTexts {
  isRequired?: boolean | undefined;
  children: (ties: FieldTies) => ReactNode;
}

/** A label above a native control, with its error and its description below: far lighter than the kit's. */
export function Field({ label, description, error, isRequired, children }: FieldProps) {
  const id = useId();
  const describedBy = [error && `${id}-error`, description && `${id}-description`].filter(Boolean).join(' ');
  return (
    <div className={classes.field}>
      <label className={classes.label} htmlFor={id}>
        {label}
        {isRequired && <span aria-hidden="true"> *</span>}
      </label>
      {children({
        id,
        className: classes.control,
        'aria-invalid': error ? true : undefined,
        'aria-describedby': describedBy || undefined,
      })}
      {error && (
        <p id={`${id}-error`} className={classes.error}>
          {error}
        </p>
      )}
      {description && (
        <p id={`${id}-description`} className={classes.description}>
          {description}
        </p>
      )}
    </div>
  );
}
