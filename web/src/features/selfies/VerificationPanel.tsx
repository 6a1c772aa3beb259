import { t } from '@lingui/core/macro';
import { Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { Panel } from '../../ui/layout/Page.tsx';
import { Buttons } from '../../ui/layout/Rows.tsx';
import { photoVerificationQuery } from './queries.ts';
import { standingOf } from './standing.ts';

/** Whether the member is photo verified, with a link to the page; nothing until it is known. */
export function VerificationPanel() {
  const { data } = useQuery(photoVerificationQuery);
  if (data === undefined) return null;
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
