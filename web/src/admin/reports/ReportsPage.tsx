import { ActionIcon } from '@mantine/core';
import { IconKeyboard } from '@tabler/icons-react';
import { useState } from 'react';
import { useLocation } from 'react-router';
import { KeysDialog } from '../../ui/feedback/KeysDialog.tsx';
import { reportListKeys } from '../../features/moderation/reports/report-words.ts';
import { ReportsBrowser } from '../../features/moderation/reports/ReportsBrowser.tsx';
import { ReportsFigures } from '../../features/moderation/reports/ReportsFigures.tsx';
import { FloatingNotice } from '../../ui/feedback/Notice.tsx';
import { Page } from '../../ui/layout/Page.tsx';
import { t } from '../../ui/text/text.ts';
import classes from '../admin.module.css';

/** The reports that members filed. */
export function ReportsPage() {
  const state = useLocation().state as { deleted?: string } | null;
  const [deleted, setDeleted] = useState(state?.deleted);
  const [isHelpOpen, setHelpOpen] = useState(false);
  return (
    <Page
      title={t('Reports Management')}
      actions={
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
      }
    >
      <ReportsFigures />
      <ReportsBrowser onKeysHelp={() => setHelpOpen(true)} />
      {isHelpOpen && <KeysDialog keys={reportListKeys} onClose={() => setHelpOpen(false)} />}
      {deleted !== undefined && (
        <FloatingNotice kind="success" onClose={() => setDeleted(undefined)}>
          {t('Report #{id} deleted.', { id: deleted })}
        </FloatingNotice>
      )}
    </Page>
  );
}
