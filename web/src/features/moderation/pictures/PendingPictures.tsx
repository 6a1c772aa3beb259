import { t } from '@lingui/core/macro';
import { Button, Text } from '@mantine/core';
import { Link } from 'react-router';
import { queueCountMost, queueKinds } from '#contract/moderation/queue.ts';
import { formatNumber } from '../../../ui/text/format.ts';
import { useQueue } from '../queue/queue-data.ts';

/** A link to the queue of pictures to review, with their number once it is known. */
export function PendingPictures() {
  const { pictures = 0 } = useQueue().counts ?? {};
  return (
    <Button component={Link} to={queueKinds.pictures.path} variant="default">
      {t`Pending pictures`}
      {pictures > 0 && (
        <Text span c="dimmed" ms="0.5rem" fz="small">
          {formatNumber(pictures)}
          {pictures >= queueCountMost && '+'}
        </Text>
      )}
    </Button>
  );
}
