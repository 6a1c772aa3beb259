import type { MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { Text } from '@mantine/core';
import { type FileDay, getOwnFile, type StaffReadKind } from '#contract/moderation/own-file.ts';
import { useEndpoint } from '../../../api/endpoint-query.ts';
import { EmptyState, QueryStates, Skeleton } from '../../../ui/feedback/PageStates.tsx';
import { Hint } from '../../../ui/layout/text-blocks.tsx';
import { Rows } from '../../../ui/layout/Rows.tsx';
import { formatDay } from '../../../ui/text/format.ts';

const words: Record<StaffReadKind, MessageDescriptor> = {
  support: msg`We opened your account to help you, because you asked us to.`,
  safety: msg`We opened your account for a safety check, at least a week earlier.`,
  routine: msg`We opened your account for other work, at least a week earlier.`,
};

function Day({ day: { day, kinds } }: { day: FileDay }) {
  return (
    <li>
      <Text fw={600}>
        <time dateTime={day}>{t`Added on ${{ date: formatDay(day) }}`}</time>
      </Text>
      {kinds.map((kind) => (
        <Text key={kind}>{t(words[kind])}</Text>
      ))}
    </li>
  );
}

/** The days on which staff opened the member's account, and for which kind of reason; never who. */
export function OwnFile() {
  const query = useEndpoint(getOwnFile);
  return (
    <>
      <QueryStates
        query={query}
        loadingText={t`Loading your file...`}
        skeleton={<Skeleton height="6rem" />}
        errorText={(error) => t`Couldn't load your file: ${error}`}
      >
        {({ days }) =>
          days.length === 0 ? (
            <EmptyState
              text={t`Nothing in your file`}
              hint={t`Days on which our team opens your account appear here.`}
            />
          ) : (
            <Rows>
              {days.map((day) => (
                <Day key={day.day} day={day} />
              ))}
            </Rows>
          )
        }
      </QueryStates>
      <Hint mt="1rem">
        {t`What you asked for appears at once. Safety checks follow reports, automatic rules and appeals. To protect people who report something, they appear at least a week later, once we have decided, and only by day. We keep entries for two years.`}
      </Hint>
    </>
  );
}
