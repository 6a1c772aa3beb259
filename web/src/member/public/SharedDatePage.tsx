import { t } from '@lingui/core/macro';
import { Box, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useLocation } from 'react-router';
import { isEndedLink, sharedDateQuery } from '../../features/dates/queries.ts';
import { whenText } from '../../features/dates/when.ts';
import { Facts } from '../../ui/data/Facts.tsx';
import { QueryStates, Skeleton } from '../../ui/feedback/PageStates.tsx';
import { Hint } from '../../ui/layout/text-blocks.tsx';
import { AuthPage, AuthFields } from '../sign-in/AuthPage.tsx';

/** A date that a member shares with a friend, who needs no account. It says nothing about why a link ended. */
export function SharedDatePage() {
  const token = useLocation().hash.slice(1);
  const query = useQuery(sharedDateQuery(token));
  const { data, error } = query;
  const hasEnded = token === '' || isEndedLink(error);
  const names = { by: data?.by ?? '', name: data?.name ?? '' };
  return (
    <>
      <meta name="robots" content="noindex, nofollow" />
      <AuthPage
        title={
          hasEnded
            ? t`This link has ended`
            : data
              ? t`${{ by: names.by }} is meeting ${{ name: names.name }}`
              : t`A shared date`
        }
      >
        {hasEnded ? (
          <Text>{t`Ask your friend if you want to know more.`}</Text>
        ) : (
          <QueryStates
            query={query}
            loadingText={t`Loading the date...`}
            skeleton={<Skeleton height="18rem" />}
            errorText={(error) => t`Couldn't load the date: ${error}`}
          >
            {(date) => (
              <AuthFields>
                {date.picture !== null && (
                  <Box
                    component="img"
                    src={date.picture}
                    alt={t`Picture of ${{ name: date.name }}`}
                    w={160}
                    maw="100%"
                    bdrs="lg"
                  />
                )}
                <Facts
                  columns={1}
                  facts={[
                    [t`When`, whenText(date)],
                    [t`Where`, date.place],
                  ]}
                />
                <Hint>
                  {t`Please keep this link to yourself: ${{ by: names.by }} shares it with you to be safe, and ${{ name: names.name }} doesn't know of it.`}
                </Hint>
                <Hint>{t`If you can't reach ${{ by: names.by }} and are worried, call your local emergency number.`}</Hint>
              </AuthFields>
            )}
          </QueryStates>
        )}
      </AuthPage>
    </>
  );
}
