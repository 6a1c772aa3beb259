import { stopRemoval } from '#contract/auth/factors.ts';
import { call } from '../../../api/call.ts';
import { useCommand } from '../../../api/use-command.ts';
import { BusyButton } from '../../../ui/form/BusyButton.tsx';
import { formatDate } from '../../../ui/text/format.ts';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { useLocale, useText } from '../../../ui/text/text.ts';
import classes from '../account.module.css';
import { useSession } from '../session/session.ts';

/** Tells of the removal of one's second factor, and stops it. */
export function RemovalNotice({ at, onStop }: { at: string; onStop?: () => void }) {
  const t = useText();
  const locale = useLocale();
  const command = useCommand();

  async function stop() {
    if (!(await command.run(() => call(stopRemoval, { body: {} })))) return;
    useSession.setState({ secondFactorRemovalAt: null });
    onStop?.();
  }

  return (
    <Notice
      kind="warning"
      action={
        <BusyButton size="sm" isBusy={command.isPending} busyText={t('Keeping it...')} onClick={() => void stop()}>
          {t('Keep my second step')}
        </BusyButton>
      }
    >
      {t(
        'Somebody who knows your password says that your second step is lost. It goes on {date}. If it was not you, keep it and change your password.',
        { date: formatDate(at, locale) },
      )}{' '}
      {command.error !== null && t(command.error)}
    </Notice>
  );
}

/** The same above every page of a member whose second factor is about to go. */
export function RemovalBanner() {
  const at = useSession((session) => session.secondFactorRemovalAt ?? null);
  return (
    at !== null && (
      <div className={classes.removalBanner}>
        <RemovalNotice at={at} />
      </div>
    )
  );
}
