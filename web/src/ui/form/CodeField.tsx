import { t } from '@lingui/core/macro';
import { TextInput } from '@mantine/core';
import { type Ref, type RefObject, useEffect } from 'react';
import { digitsOf } from './form-values.ts';

const isWholeCode = (value: string) => /^\d{6}$/.test(value);

/**
 * Submits the field's form when six digits have been typed or pasted. The form ignores a second submit while one is
 * running. Not for codes that confirm something irreversible, where people should press the button deliberately.
 */
export function useSelfSubmit(field: RefObject<HTMLInputElement | null>, value: string): void {
  useEffect(() => {
    if (isWholeCode(value)) field.current?.form?.requestSubmit();
  }, [field, value]);
}

interface CodeFieldProps {
  ref?: Ref<HTMLInputElement>;
  isRecovery: boolean;
  value: string;
  error?: string | undefined;
  /** The text before the field already explains what to enter. */
  isExplained?: boolean;
  /** The form is submitted once six digits have been entered. */
  submitsItself?: boolean;
  onChange: (value: string) => void;
}

/** Text with letters is a recovery code, which the server accepts in either field. */
const asAppCode = (typed: string) => (/[a-z]/i.test(typed) ? typed.slice(0, 20) : digitsOf(typed).slice(0, 6));

/** A field for the six digits of an authenticator app, in any pasted format, or for a recovery code. */
export function CodeField(props: CodeFieldProps) {
  const { ref, isRecovery, value, error, isExplained = false, submitsItself = false, onChange } = props;
  const description = isRecovery
    ? t`One of the ten you saved, such as 4F7K-9QXM-2ABC. Each works once.`
    : submitsItself
      ? t`The six digits your authenticator app shows now. They are checked right away.`
      : t`The six digits your authenticator app shows now.`;
  return (
    <TextInput
      // A separate field for each kind of code, so that the browser offers the right suggestions.
      key={String(isRecovery)}
      {...(ref === undefined ? {} : { ref })}
      name="code"
      size="md"
      required
      label={isRecovery ? t`Recovery code` : t`Code from your app`}
      description={isExplained ? undefined : description}
      autoComplete={isRecovery ? 'off' : 'one-time-code'}
      inputMode={isRecovery ? 'text' : 'numeric'}
      autoCapitalize="characters"
      spellCheck={false}
      value={value}
      error={error}
      onChange={({ currentTarget }) =>
        onChange(isRecovery ? currentTarget.value.slice(0, 20) : asAppCode(currentTarget.value))
      }
    />
  );
}
