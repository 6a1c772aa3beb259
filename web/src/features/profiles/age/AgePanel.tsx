import { Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { Panel } from '../../../ui/layout/Page.tsx';
import { Buttons } from '../../../ui/layout/Rows.tsx';
import { t } from '../../../ui/text/text.ts';
import { ageStanding } from './age-words.ts';
import { ageCheckQuery } from './queries.ts';

/** The state of the member's age check with a link to its page; nothing where no one asks for it. */
export function AgePanel() {
  const { data } = useQuery(ageCheckQuery);
  if (data === undefined || (data.state === 'declared' && !data.canStart)) return null;
  return (
    <Panel title={t('Age')}>
      <Text mb="0.9rem">{ageStanding(data)}</Text>
      {data.canStart && (
        <Buttons>
          <Button component={Link} to="/app/verify-age" variant="default">
            {t('Confirm my age')}
          </Button>
        </Buttons>
      )}
    </Panel>
  );
}
