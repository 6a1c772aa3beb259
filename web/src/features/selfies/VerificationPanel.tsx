import { Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { PhotoVerification } from '#contract/photo-verification.ts';
import { Tag } from '../../ui/data/Tag.tsx';
import { Buttons } from '../../ui/layout/Rows.tsx';
import { Panel } from '../../ui/layout/Page.tsx';
import { formatDate } from '../../ui/text/format.ts';
import { t } from '../../ui/text/text.ts';
import { photoVerificationQuery } from './queries.ts';

/** Where the member stands, in a sentence, and what the link to the page is called. */
function standing({ verifiedAt, isLost, check }: PhotoVerification): { text: string; link: string } {
  if (verifiedAt !== null)
    return { text: t('Verified since {date}.', { date: formatDate(verifiedAt) }), link: t('What this means') };
  if (check?.state === 'waiting') return { text: t('Our team is comparing your selfies.'), link: t('Details') };
  if (check?.state === 'again') return { text: t('Our team needs new selfies from you.'), link: t('Take new selfies') };
  if (check?.state === 'rejected')
    return { text: t('Our team did not find you in your pictures.'), link: t('What you can do') };
  if (isLost)
    return {
      text: t('Your pictures have changed since they were verified, so others no longer read “Photo verified”.'),
      link: t('Verify again'),
    };
  return {
    text: t('Show that you are the person in your pictures. Others then read “Photo verified” on your profile.'),
    link: check === null ? t('Verify my pictures') : t('Continue'),
  };
}

/** Whether the member is photo verified, with a link to the page; nothing until it is known. */
export function VerificationPanel() {
  const { data } = useQuery(photoVerificationQuery);
  if (data === undefined) return null;
  const { text, link } = standing(data);
  return (
    <Panel
      title={t('Photo verification')}
      actions={data.verifiedAt !== null && <Tag tone="info">{t('Photo verified')}</Tag>}
    >
      <Text mb="0.9rem">{text}</Text>
      <Buttons>
        <Button component={Link} to="/app/verify" variant="default">
          {link}
        </Button>
      </Buttons>
    </Panel>
  );
}
