import { t } from '@lingui/core/macro';
import { Group } from '@mantine/core';
import { Link } from 'react-router';
import { useMay } from '../../api/session/permission.ts';
import { AppealsBrowser } from '../../features/moderation/appeals/AppealsBrowser.tsx';
import { appealListKeys } from '../../features/moderation/appeals/appeal-words.ts';
import { KeysButton } from '../../ui/feedback/KeysButton.tsx';
import { Page } from '../../ui/layout/Page.tsx';

/** The queue of appeals. */
export function AppealsPage() {
  const mayJudge = useMay('cases.handle');
  return (
    <Page
      title={t`Appeals`}
      actions={
        <Group>
          {mayJudge && <Link to="/second-looks">{t`Second looks`}</Link>}
          <KeysButton keys={appealListKeys} hasForms={false} />
        </Group>
      }
    >
      <AppealsBrowser />
    </Page>
  );
}
