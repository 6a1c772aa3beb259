import { TextInput } from '@mantine/core';
import type { Ref } from 'react';
import { useText } from '../../../ui/text/text.ts';

interface CodeFieldProps {
  ref?: Ref<HTMLInputElement>;
  isRecovery: boolean;
  value: string;
  error?: string | undefined;
  /** What it is stands before it already. */
  isExplained?: boolean;
  onChange: (value: string) => void;
}

/** Letters are of a recovery code: whoever types one here has it checked as well. */
const asAppCode = (typed: string) => (/[a-z]/i.test(typed) ? typed.slice(0, 20) : typed.replace(/\D/g, '').slice(0, 6));

/** The six digits of an authenticator app, however they are pasted, or a recovery code. */
export function CodeField({ ref, isRecovery, value, error, isExplained = false, onChange }: CodeFieldProps) {
  const t = useText();
  return (
    <TextInput
      // Another field, for the browser too: what it offers for one does not fit the other.
      key={String(isRecovery)}
      {...(ref === undefined ? {} : { ref })}
      name="code"
      size="md"
      required
      label={isRecovery ? t('Recovery code') : t('Code from your app')}
      description={
        isExplained
          ? undefined
          : isRecovery
            ? t('One of the ten you kept, such as 4F7K-9QXM-2ABC. It works once.')
            : t('The six digits that your authenticator app shows now.')
      }
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
