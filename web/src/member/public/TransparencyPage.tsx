import { t } from '@lingui/core/macro';
import { Box, Text } from '@mantine/core';
import { listTransparency } from '#contract/moderation/transparency.ts';
import { useEndpoint } from '../../api/endpoint-query.ts';
import { PublishedReports } from '../../features/moderation/transparency/PublishedReports.tsx';
import { QueryStates, Skeleton } from '../../ui/feedback/PageStates.tsx';
import { PageHeading } from '../../ui/layout/Page.tsx';
import { ContactAside } from './ContactAside.tsx';

/** The public page with our decisions in each year. */
export function TransparencyPage() {
  const query = useEndpoint(listTransparency);
  return (
    <Box w="100%" maw="64rem" mx="auto" pt="clamp(2rem, 1rem + 4vw, 4rem)" pb="4rem" px="1.25rem" data-in-order>
      <PageHeading mb="0.6rem" fz="clamp(1.9rem, 1.3rem + 2.6vw, 2.9rem)">
        {t`Transparency`}
      </PageHeading>
      <Text mb="2rem" c="dimmed" fz="lead">
        {t`How many reports we receive, what we decide, and how often we are wrong. Numbers below ten are left out, so that they say nothing about single people.`}
      </Text>
      <QueryStates
        query={query}
        loadingText={t`Loading figures...`}
        skeleton={<Skeleton height="12rem" count={2} />}
        errorText={(error) => t`Couldn't load the figures: ${error}`}
      >
        {({ reports }) => <PublishedReports reports={reports} />}
      </QueryStates>
      <ContactAside question={t`Questions about these figures?`} answer={t`Write to us.`} />
    </Box>
  );
}
