import { Box, Stack, Text } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { type ComponentProps, type ReactNode, useId } from 'react';
import classes from './Field.module.css';
import { GrowingTextarea } from './GrowingTextarea.tsx';

interface FieldTexts {
  label: ReactNode;
  /** Explains the field before people type. */
  description?: string;
  /** A remark about the value, announced politely when it changes; empty if there is nothing to say. */
  remark?: string | undefined;
  error?: string | undefined;
}

/** The error of a field or a group of fields. */
export function ErrorText(props: { id?: string; children: ReactNode }) {
  return <Text mt="0.35rem" fz="note" c="var(--mantine-color-error)" {...props} />;
}

/** A hint for a field or a group of fields. */
export function HintText(props: { id?: string; role?: 'status'; children: ReactNode }) {
  return <Text mt="0.35rem" fz="note" c="dimmed" {...props} />;
}

/** The attributes that connect a control with its texts. */
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

/** A label above a native control, with the error and description below; much lighter than Mantine's input wrapper. */
export function Field({ label, description, remark, error, isRequired, children }: FieldProps) {
  const id = useId();
  const describedBy = [error && `${id}-error`, remark && `${id}-remark`, description && `${id}-description`]
    .filter(Boolean)
    .join(' ');
  return (
    <Stack gap={0} miw={0}>
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
      {error && <ErrorText id={`${id}-error`}>{error}</ErrorText>}
      {remark !== undefined && (
        <HintText id={`${id}-remark`} role="status">
          {remark}
        </HintText>
      )}
      {description && <HintText id={`${id}-description`}>{description}</HintText>}
    </Stack>
  );
}

type TextFieldProps = FieldTexts & Omit<ComponentProps<'input'>, 'id' | 'className'>;

/** A native text field for one line in any script. */
export function TextField({ label, description, remark, error, ...input }: TextFieldProps) {
  const texts = { label, remark, error, ...(description ? { description } : {}) };
  return (
    <Field {...texts} isRequired={input.required}>
      {(ties) => <input type="text" dir="auto" {...input} {...ties} />}
    </Field>
  );
}

type TextAreaProps = FieldTexts & Omit<ComponentProps<'textarea'>, 'id' | 'className'>;

/** A native text field for several lines in any script, which grows with its text. */
export function TextArea({ label, description, remark, error, ...area }: TextAreaProps) {
  const texts = { label, remark, error, ...(description ? { description } : {}) };
  return (
    <Field {...texts} isRequired={area.required}>
      {(ties) => <GrowingTextarea dir="auto" {...area} {...ties} />}
    </Field>
  );
}

interface SelectFieldProps extends FieldTexts, Omit<ComponentProps<'select'>, 'id' | 'className'> {
  choices: readonly { value: string; label: string }[];
}

/** A native select field for a few options. */
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

type CheckFieldProps = FieldTexts & Omit<ComponentProps<'input'>, 'id' | 'className' | 'type'>;

/** A checkbox with its label, and with description and error below. */
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
      <Box miw={0}>
        <label className={classes.checkFieldLabel} htmlFor={id}>
          {label}
        </label>
        {description && <HintText id={`${id}-description`}>{description}</HintText>}
        {error && <ErrorText id={`${id}-error`}>{error}</ErrorText>}
      </Box>
    </div>
  );
}

/** A switch that takes effect immediately; the caller provides its label. */
export function Switch(box: Omit<ComponentProps<'input'>, 'type' | 'role' | 'className'>) {
  return <input {...box} type="checkbox" role="switch" className={classes.switch} />;
}
