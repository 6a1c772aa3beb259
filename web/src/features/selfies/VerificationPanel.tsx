import { t } from '@lingui/core/macro';
import { Button, Text } from '@mantine/core';
import { Link } from 'react-router';
import { getPhotoVerification } from '#contract/photo-verification.ts';
import { useEndpoint } from '../../api/endpoint-query.ts';
import { Skeleton } from '../../ui/feedback/PageStates.tsx';
import { Panel } from '../../ui/layout/Page.tsx';
import { Buttons } from '../../ui/layout/Rows.tsx';
import { standingOf } from './standing.ts';

/** Whether the member is photo verified, with a link to the page; nothing if that can't be loaded. */
export function VerificationPanel() {
  const { data, isPending } = useEndpoint(getPhotoVerification);
  if (data === undefined) return isPending && <Skeleton height="13rem" />;
  const { text, link } = standingOf(data);
  return (
    <Panel title={t`Photo verification`}>
      <Text mb="0.9rem">{text}</Text>
      <Buttons>
        <Button component={Link} to="/app/verify" variant="default">
          {link}
        </Button>
      </Buttons>
    </Panel>
  );
}
