import type { ComponentProps } from 'react';
import { Field, type FieldTexts } from './Field.tsx';

type TextAreaProps = FieldTexts & Omit<ComponentProps<'textarea'>, 'id' | 'className'>;

/** A field for a text of several lines; it grows with what is typed. */
export function TextArea({ label, description, error, ...area }: TextAreaProps) {
  return (
    <Field label={label} isRequired={area.required} {...(description ? { description } : {})} error={error}>
      {(ties) => <textarea {...area} {...ties} />}
    </Field>
  );
}
