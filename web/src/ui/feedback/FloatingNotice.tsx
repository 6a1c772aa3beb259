import { ActionIcon } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { type ReactNode, useEffect, useEffectEvent } from 'react';
import classes from './FloatingNotice.module.css';
import { Notice } from './Notice.tsx';
import { useText } from '../text/text.ts';

const successMs = 6000;

interface FloatingNoticeProps {
  kind: 'error' | 'success';
  children: ReactNode;
  action?: ReactNode;
  /** How long success stays. */
  staysMs?: number;
  onClose: () => void;
}

/** What came of a command, at the foot of the window whatever is scrolled where; success leaves by itself, an error stays. */
export function FloatingNotice({ kind, children, action, staysMs = successMs, onClose }: FloatingNoticeProps) {
  const t = useText();
  const close = useEffectEvent(onClose);

  useEffect(() => {
    if (kind !== 'success') return;
    const timer = setTimeout(() => close(), staysMs);
    return () => clearTimeout(timer);
  }, [kind, staysMs]);

  return (
    <div className={classes.place}>
      <div className={classes.card}>
        <Notice kind={kind} action={action}>
          {children}
        </Notice>
        <ActionIcon className={classes.close} variant="subtle" color="gray" aria-label={t('Dismiss')} onClick={onClose}>
          <IconX size={18} stroke={1.75} />
        </ActionIcon>
      </div>
    </div>
  );
}
