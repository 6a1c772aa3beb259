import { Rules } from '../../features/moderation/cases/Rules.tsx';
import { useSession } from '../../features/auth/session/session.ts';
import { Page } from '../../ui/layout/Page.tsx';
import { t } from '../../ui/text/text.ts';

/** The community rules that decisions refer to. */
export function RulesPage() {
  const isModerator = useSession((session) => session.user?.staffRole === 'moderator');
  return (
    <Page title={t('Community rules')}>
      <Rules mayEdit={!isModerator} />
    </Page>
  );
}
