import { t } from '@lingui/core/macro';
import { Button, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { formatNumber } from '../../../ui/text/format.ts';
import { SelfieQueue } from '../selfies/SelfieQueue.tsx';
import { waitingSelfiesQuery } from '../selfies/selfie-data.ts';
import { PictureQueue } from './PictureQueue.tsx';

interface QueuesProps {
  /** The open queue: 'selfies', or that of pictures. */
  open: string | null;
  onTab: (queue: string) => void;
  onClose: () => void;
}

/** The queues of pictures and of selfies, one at a time, with a choice between them. */
export function Queues({ open, onTab, onClose }: QueuesProps) {
  const { data: waiting = 0 } = useQuery(waitingSelfiesQuery);
  const isSelfies = open === 'selfies';
  const tab = (queue: string, isOpen: boolean, text: string) => (
    <Button
      variant={isOpen ? 'light' : 'subtle'}
      size="compact-sm"
      aria-pressed={isOpen}
      onClick={() => !isOpen && onTab(queue)}
    >
      {text}
    </Button>
  );
  const tabs = (
    <Group role="group" gap="0.35rem" mb="0.5rem" aria-label={t`Queues`}>
      {tab('pending', !isSelfies, t`Pictures`)}
      {tab('selfies', isSelfies, waiting === 0 ? t`Selfies` : `${t`Selfies`} ${formatNumber(waiting)}`)}
    </Group>
  );
  return isSelfies ? <SelfieQueue tabs={tabs} onClose={onClose} /> : <PictureQueue tabs={tabs} onClose={onClose} />;
}
