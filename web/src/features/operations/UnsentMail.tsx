import { plural, t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { type Operations, retryMail } from '#contract/operations.ts';
import { useCommand } from '../../api/endpoint-query.ts';
import { useMay } from '../../api/session/permission.ts';
import { StateList } from '../../ui/data/Facts.tsx';
import { Time } from '../../ui/data/Time.tsx';
import { ErrorNotice, FloatingNotice } from '../../ui/feedback/Notice.tsx';
import { Panel } from '../../ui/layout/Page.tsx';
import { Hint } from '../../ui/layout/text-blocks.tsx';
import { mailProblemWords } from './mail-words.ts';

type Unsent = Operations['mail']['unsent'][number];
type Kind = Pick<Unsent, 'template' | 'problem'>;

const idOf = ({ template, problem }: Kind) => `${template} ${problem}`;

interface UnsentMailProps {
  unsent: Unsent[];
  /** Puts the kind of an email in words. */
  nameOf: (template: string) => string;
}

/** Emails that were given up and can be sent again, by kind and reason; nothing if there are none. */
export function UnsentMail({ unsent, nameOf }: UnsentMailProps) {
  const mayRetry = useMay('operations.retry');
  const retry = useCommand(retryMail, (kind: Kind) => ({ body: { kind } }), { waits: true });
  const rowOf = ({ template, problem, count, newestAt }: Unsent) => ({
    id: idOf({ template, problem }),
    name: (
      <>
        {t`${{ kind: nameOf(template) }}: ${plural(count, { one: '# email', other: '# emails' })}`}
        <Hint span display="block">
          {t(mailProblemWords[problem])} <Time at={newestAt} />
        </Hint>
      </>
    ),
    end: mayRetry && (
      <Button
        variant="default"
        size="xs"
        aria-label={t`Send again: ${{ kind: nameOf(template) }}`}
        loading={retry.isPending && idOf(retry.variables) === idOf({ template, problem })}
        onClick={() => retry.mutate({ template, problem })}
      >
        {t`Send again`}
      </Button>
    ),
  });
  return (
    <>
      {unsent.length > 0 && (
        <Panel
          title={t`Unsent mail`}
          lead={t`Emails that couldn’t be sent for five days, or whose mailbox doesn’t exist. They can be sent again for two weeks.`}
        >
          <ErrorNotice error={retry.error} text={(error) => t`Could not retry: ${error}`} />
          <StateList rows={unsent.map(rowOf)} />
        </Panel>
      )}
      {retry.data !== undefined && (
        <FloatingNotice kind="success" onClose={retry.reset}>
          {t`${plural({ count: retry.data.retried }, { one: '# email', other: '# emails' })} will be sent again within a minute.`}
        </FloatingNotice>
      )}
    </>
  );
}
