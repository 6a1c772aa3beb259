import { t } from '@lingui/core/macro';
import { Anchor } from '@mantine/core';
import { type ReactNode, useState } from 'react';

// The text takes the focus, because the pressed button has disappeared.
const focus = (text: HTMLElement | null) => text?.focus();

/** A text by someone else, covered until the member asks for it if it contains one of their hidden words. */
export function Covered({ isHidden, children }: { isHidden: boolean; children: ReactNode }) {
  const [isShown, setShown] = useState(false);
  if (!isHidden) return children;
  if (isShown)
    return (
      <span ref={focus} tabIndex={-1}>
        {children}
      </span>
    );
  return (
    <>
      <em>{t`Hidden by your words`}</em>
      {' · '}
      <Anchor
        component="button"
        type="button"
        mih="var(--hw-link-height)"
        fw={600}
        underline="always"
        inherit
        c="inherit"
        onClick={(event) => {
          event.stopPropagation();
          setShown(true);
        }}
      >
        {t`Show`}
      </Anchor>
    </>
  );
}
