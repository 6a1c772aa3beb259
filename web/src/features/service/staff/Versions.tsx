import { t } from '@lingui/core/macro';
import { Button, Group, Text } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { useState } from 'react';
import { bringServiceBack, type Service, type ServiceVersion } from '#contract/service/service.ts';
import { useCommand } from '../../../api/endpoint-query.ts';
import { Tag } from '../../../ui/data/Tag.tsx';
import { Time } from '../../../ui/data/Time.tsx';
import { ConfirmDialog } from '../../../ui/feedback/FormDialog.tsx';
import { Panel } from '../../../ui/layout/Page.tsx';
import { Row, Rows } from '../../../ui/layout/Rows.tsx';
import { Hint } from '../../../ui/layout/text-blocks.tsx';

function BackDialog({ version, back, onClose }: { version: number; back: number; onClose: () => void }) {
  const command = useCommand(bringServiceBack, () => ({ body: { version, back } }), { waits: true });
  return (
    <ConfirmDialog
      title={back === 0 ? t`Bring the first state back?` : t`Bring version ${{ version: back }} back?`}
      confirmText={t`Bring back`}
      command={command}
      errorText={(error) => t`Couldn't bring the version back: ${error}`}
      onClose={onClose}
    >
      {t`It applies to everyone at once, as a new version. No version is lost.`}
    </ConfirmDialog>
  );
}

const icon = <IconHistory size={20} stroke={1.75} aria-hidden="true" />;

function VersionRow({ of, holds, onBack }: { of: ServiceVersion; holds: boolean; onBack: () => void }) {
  const { version, by, savedAt, broughtBack, isBroken } = of;
  const name = t`Version ${{ version }}`;
  return (
    <Row
      icon={icon}
      actions={
        !holds &&
        !isBroken && (
          <Button size="sm" variant="default" aria-label={t`Bring back: ${name}`} onClick={onBack}>
            {t`Bring back`}
          </Button>
        )
      }
    >
      <Group gap="0.3rem 0.6rem">
        <Text fw={500}>{name}</Text>
        {holds && <Tag tone="positive">{t`Holds now`}</Tag>}
        {isBroken && <Tag tone="accent">{t`Can't be read`}</Tag>}
      </Group>
      <Hint>
        {by} · <Time at={savedAt} />
        {broughtBack !== null &&
          ` · ${broughtBack === 0 ? t`Brought the first state back` : t`Brought version ${{ version: broughtBack }} back`}`}
      </Hint>
    </Row>
  );
}

/** Earlier versions, and a button to restore each. */
export function Versions({ service }: { service: Service }) {
  const [back, setBack] = useState<number | null>(null);
  const { version, versions } = service;
  const holding = versions.find(({ isBroken }) => !isBroken)?.version;
  const isWhole = versions.at(-1)?.version === 1;
  if (versions.length === 0) return null;
  return (
    <Panel title={t`Versions`} lead={t`Each change is kept with its date, and can be taken back.`}>
      <Rows>
        {versions.map((of) => (
          <VersionRow key={of.version} of={of} holds={of.version === holding} onBack={() => setBack(of.version)} />
        ))}
        {isWhole && (
          <Row
            icon={icon}
            actions={
              <Button
                size="sm"
                variant="default"
                aria-label={t`Bring back: the first state`}
                onClick={() => setBack(0)}
              >
                {t`Bring back`}
              </Button>
            }
          >
            <Text fw={500}>{t`First state`}</Text>
            <Hint>{t`As the product comes.`}</Hint>
          </Row>
        )}
      </Rows>
      {back !== null && <BackDialog version={version} back={back} onClose={() => setBack(null)} />}
    </Panel>
  );
}
