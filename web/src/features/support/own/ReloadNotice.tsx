import { Button } from '@mantine/core';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { useText } from '../../../ui/text/text.ts';
import classes from './ReloadNotice.module.css';

/** Says, below what is shown already, that asking again failed. */
export function ReloadNotice({ error, onRetry }: { error: Error | null; onRetry: () => void }) {
  const t = useText();
  if (error === null) return null;
  return (
    <div className={classes.place}>
      <Notice
        kind="warning"
        action={
          <Button variant="default" size="xs" onClick={onRetry}>
            {t('Retry')}
          </Button>
        }
      >
        {t('This may be out of date: {error}', { error: t(error.message) })}
      </Notice>
    </div>
  );
}
