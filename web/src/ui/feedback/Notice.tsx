import { t } from '@lingui/core/macro';
import { ActionIcon, Box, type BoxProps, Button } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconInfoCircle, IconX } from '@tabler/icons-react';
import { type ReactNode, useEffect, useEffectEvent } from 'react';
import { passingFocus } from '../layout/Page.tsx';
import classes from './Notice.module.css';

const icons = { error: IconAlertTriangle, warning: IconAlertTriangle, success: IconCircleCheck, info: IconInfoCircle };

interface NoticeProps extends Pick<BoxProps, 'maw' | 'mb' | 'mt'> {
  kind: keyof typeof icons;
  children: ReactNode;
  /** False for text that belongs to the page, as opposed to news that screen readers announce at once. */
  isNews?: boolean;
  /** A button or link after the text. */
  action?: ReactNode;
  /** Adds a button to try again. */
  onRetry?: (() => unknown) | undefined;
}

/** A message within the page: errors and warnings are alerts, the rest a status. */
export function Notice({ kind, children, isNews = true, action, onRetry, ...box }: NoticeProps) {
  const Icon = icons[kind];
  const role = kind === 'error' || kind === 'warning' ? 'alert' : 'status';
  return (
    <Box ref={passingFocus} className={classes.notice} data-kind={kind} {...box}>
      <Icon size={20} stroke={1.75} aria-hidden="true" className={classes.icon} />
      <div className={classes.body}>
        <div role={isNews ? role : undefined}>{children}</div>
        {action}
        {onRetry && (
          <Button variant="default" size="xs" onClick={() => void onRetry()}>
            {t`Retry`}
          </Button>
        )}
      </div>
    </Box>
  );
}

/** The reason why a request failed: the server's message, or that the reason is unknown. */
export const reasonOf = (error: Error) => ('status' in error ? error.message : t`An unknown error occurred`);

/** Shows why a command failed, in the sentence that `text` makes of the server's reason; nothing if there is no error. */
export function ErrorNotice({ error, text }: { error: Error | null; text?: (error: string) => string }) {
  if (error === null) return null;
  return <Notice kind="error">{text ? text(reasonOf(error)) : reasonOf(error)}</Notice>;
}

/** A notice above the page on a card, with a button that closes it. */
export function ClosableNotice({ onClose, ...notice }: NoticeProps & { onClose: () => void }) {
  return (
    <div ref={passingFocus} className={classes.card}>
      <Notice {...notice} />
      <ActionIcon className={classes.close} variant="subtle" color="gray" aria-label={t`Dismiss`} onClick={onClose}>
        <IconX size={18} stroke={1.75} />
      </ActionIcon>
    </div>
  );
}

const successMs = 6000;

interface FloatingNoticeProps {
  kind?: 'error' | 'success';
  /** Nothing is shown without it. */
  children: ReactNode;
  action?: ReactNode;
  /** How long a success message is shown. */
  staysMs?: number;
  onClose: () => void;
}

/** The result of a command at the bottom of the window. A success message disappears by itself, an error stays. */
export function FloatingNotice({ kind = 'success', children, staysMs = successMs, ...props }: FloatingNoticeProps) {
  const close = useEffectEvent(props.onClose);
  const isShown = Boolean(children);

  useEffect(() => {
    if (!isShown || kind !== 'success' || staysMs === Infinity) return;
    const timer = setTimeout(() => close(), staysMs);
    return () => clearTimeout(timer);
  }, [isShown, kind, staysMs]);

  if (!isShown) return null;
  return (
    <div className={classes.place}>
      <ClosableNotice kind={kind} {...props}>
        {children}
      </ClosableNotice>
    </div>
  );
}
