import { ActionIcon } from '@mantine/core';
import { IconKeyboard } from '@tabler/icons-react';
import { Suspense, useState } from 'react';
import { Link } from 'react-router';
import { caseListKeys } from '../../features/moderation/cases/case-words.ts';
import { CasesBrowser } from '../../features/moderation/cases/CasesBrowser.tsx';
import { Page } from '../../ui/layout/Page.tsx';
import { lazyPart } from '../../ui/loading/lazy-page.tsx';
import { t } from '../../ui/text/text.ts';
import classes from '../admin.module.css';

const keysDialog = lazyPart(() => import('../../ui/feedback/KeysDialog.tsx').then((module) => module.KeysDialog));

/** The queue of cases. */
export function CasesPage() {
  const [isHelpOpen, setHelpOpen] = useState(false);
  return (
    <Page
      title={t('Cases')}
      actions={
        <>
          <Link to="/rules">{t('Community rules')}</Link>
          <ActionIcon
            className={classes.keys}
            variant="default"
            size="lg"
            aria-label={t('Keyboard shortcuts')}
            title={t('Keyboard shortcuts')}
            onClick={() => setHelpOpen(true)}
          >
            <IconKeyboard size={18} stroke={1.75} />
          </ActionIcon>
        </>
      }
    >
      <CasesBrowser onKeysHelp={() => setHelpOpen(true)} />
      <Suspense>
        {isHelpOpen && <keysDialog.Part keys={caseListKeys} hasForms={false} onClose={() => setHelpOpen(false)} />}
      </Suspense>
    </Page>
  );
}
