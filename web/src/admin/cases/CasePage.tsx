import { IconArrowLeft } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useLocation, useParams } from 'react-router';
import { ApiError } from '../../api/api-error.ts';
import { useMay } from '../../api/session/permission.ts';
import { CaseFile, CaseNotFound } from '../../features/moderation/cases/CaseFile.tsx';
import { caseFileQuery } from '../../features/moderation/cases/queries.ts';
import { personWord } from '../../features/moderation/reports/report-words.ts';
import { Contact } from '../../features/profiles/staff/Contact.tsx';
import { LastUpdated } from '../../ui/feedback/LastUpdated.tsx';
import { QueryStates, Skeleton } from '../../ui/feedback/PageStates.tsx';
import { Page, Panel } from '../../ui/layout/Page.tsx';
import { t } from '../../ui/text/text.ts';
import classes from '../admin.module.css';

function LoadingSkeleton() {
  return (
    <div className={classes.skeleton}>
      <Skeleton height="26rem" />
      <Skeleton height="18rem" />
    </div>
  );
}

/** One case, with everything staff may see and do. */
export function CasePage() {
  const { id = '' } = useParams();
  const { from } = (useLocation().state as { from?: string } | null) ?? {};
  const maySeeAudit = useMay('audit.view');
  const query = useQuery(caseFileQuery(id));
  const isMissing = query.data === undefined && query.error instanceof ApiError && query.error.status === 404;
  const name = query.data && personWord(query.data.case.person);
  return (
    <>
      <nav className={classes.way} aria-label={t('Breadcrumb')}>
        <Link to={from ?? '/cases'} className={classes.back}>
          <IconArrowLeft size={16} stroke={1.75} aria-hidden="true" />
          {t('All cases')}
        </Link>
      </nav>
      <Page
        title={isMissing ? t('Case not found') : name === undefined ? t('Case') : t('Case about {name}', { name })}
        actions={!isMissing && <LastUpdated query={query} />}
      >
        {isMissing ? (
          <CaseNotFound />
        ) : (
          <QueryStates
            query={query}
            loadingText={t('Loading case...')}
            skeleton={<LoadingSkeleton />}
            errorText="Error loading case: {error}"
          >
            {(file) => (
              <CaseFile
                key={file.case._id}
                file={file}
                contact={(userId, email) => <Contact userId={userId} email={email} />}
                aside={
                  maySeeAudit && (
                    <Panel title={t('History')} lead={t('What staff viewed and changed on this case')}>
                      <Link to={`/audit?targetId=${encodeURIComponent(id)}`}>{t('Open in the audit trail')}</Link>
                    </Panel>
                  )
                }
              />
            )}
          </QueryStates>
        )}
      </Page>
    </>
  );
}
