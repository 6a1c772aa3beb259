import type { ComponentProps } from 'react';
import { Field, type FieldTexts } from './Field.tsx';

type TextFieldProps = FieldTexts & Omit<ComponentProps<'input'>, 'id' | 'className'>;

/** A field for one line, using the browser's own control. */
export function TextField({ label, description, error, ...input }: TextFieldProps) {
  return (
    <Field label={label} isRequired={input.required} {...(description ? { description } : {})} error={error}>
      {(ties) => <input type="text" {...input} {...ties} />}
    </Field>
  );
}
