import { useState } from 'react';
import { getProfile, showLastActive } from '#contract/profiles/profiles.ts';
import { call } from '../../../api/call.ts';
import { useCommand } from '../../../api/use-command.ts';
import { useRead } from '../../../api/use-read.ts';
import { CheckField } from '../../../ui/form/CheckField.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { Bone, QueryStates } from '../../../ui/feedback/PageStates.tsx';
import { useText } from '../../../ui/text/text.ts';

function Choice({ initial }: { initial: boolean }) {
  const t = useText();
  const [isShown, setShown] = useState(initial);
  const command = useCommand();

  async function choose(next: boolean) {
    if (command.isPending) return;
    setShown(next);
    if (!(await command.run(() => call(showLastActive, { body: { showLastActive: next } })))) setShown(!next);
  }

  return (
    <>
      <CheckField
        name="showLastActive"
        label={t('Show others when I was last active')}
        description={t('It works both ways: when you hide it, you do not see it of others either.')}
        checked={isShown}
        onChange={(event) => void choose(event.currentTarget.checked)}
      />
      <div role="status" className="visually-hidden">
        {command.isDone && t('Saved.')}
      </div>
      {command.error !== null && (
        <Notice kind="error">{t('This could not be changed: {error}', { error: t(command.error) })}</Notice>
      )}
    </>
  );
}

/** Whether others see when one was last active; kept at once. */
export function LastActiveChoice() {
  const t = useText();
  const query = useRead(
    'privacy',
    async (signal) => (await call(getProfile, { signal })).userData.privacySettings.showLastActive,
  );
  return (
    <QueryStates
      query={query}
      loadingText={t('Loading your settings...')}
      skeleton={<Bone height="3rem" />}
      errorText={(error) => t('Your settings could not be loaded: {error}', { error })}
    >
      {(isShown) => <Choice initial={isShown} />}
    </QueryStates>
  );
}
