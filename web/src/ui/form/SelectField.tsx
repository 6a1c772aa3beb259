import { IconChevronDown } from '@tabler/icons-react';
import type { ComponentProps } from 'react';
import { Field, type FieldTexts } from './Field.tsx';
import classes from './Field.module.css';

interface SelectFieldProps extends FieldTexts, Omit<ComponentProps<'select'>, 'id' | 'className'> {
  choices: readonly { value: string; label: string }[];
}

/** A choice of a few options, using the device's native list. */
export function SelectField({ label, description, error, choices, ...select }: SelectFieldProps) {
  return (
    <Field label={label} isRequired={select.required} {...(description ? { description } : {})} error={error}>
      {(ties) => (
        <span className={classes.choice}>
          <select {...select} {...ties}>
            {choices.map((choice) => (
              <option key={choice.value} value={choice.value}>
                {choice.label}
              </option>
            ))}
          </select>
          <IconChevronDown className={classes.chevron} size={18} stroke={1.75} aria-hidden="true" />
        </span>
      )}
    </Field>
  );
}
