import { Button, Group } from '@mantine/core';
import { t } from '../../../ui/text/text.ts';

const queues = [
  ['pending', 'Pictures'],
  ['selfies', 'Selfies'],
] as const;

interface QueueTabsProps {
  open: (typeof queues)[number][0];
  onTab: (queue: string) => void;
}

/** The choice between the pictures and the selfies to review. */
export function QueueTabs({ open, onTab }: QueueTabsProps) {
  return (
    <Group role="group" gap="0.35rem" mb="0.5rem" aria-label={t('Queues')}>
      {queues.map(([id, title]) => (
        <Button
          key={id}
          variant={id === open ? 'light' : 'subtle'}
          size="compact-sm"
          aria-pressed={id === open}
          onClick={() => onTab(id)}
        >
          {t(title)}
        </Button>
      ))}
    </Group>
  );
}
