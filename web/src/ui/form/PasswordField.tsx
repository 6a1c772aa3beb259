import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import { useState } from 'react';
import { t } from '../text/text.ts';

/** A password field whose text can be shown, pasted, and filled in by a password manager. */
export function PasswordField(props: PasswordInputProps & { autoComplete: 'current-password' | 'new-password' }) {
  const [isVisible, setVisible] = useState(false);
  return (
    <PasswordInput
      size="md"
      {...props}
      visible={isVisible}
      onVisibilityChange={setVisible}
      visibilityToggleButtonProps={{ 'aria-label': isVisible ? t('Hide password') : t('Show password') }}
    />
  );
}
