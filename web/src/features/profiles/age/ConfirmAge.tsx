import { msg, t } from '@lingui/core/macro';
import { Button, Stack, Text } from '@mantine/core';
import { useEffect, useEffectEvent } from 'react';
import { Link, useSearchParams } from 'react-router';
import { ageAnswerSchema, type AgeAnswer, getAgeCheck, startAgeCheck, takeAgeAnswer } from '#contract/age-check.ts';
import { useCommand, useEndpoint } from '../../../api/endpoint-query.ts';
import { ErrorNotice } from '../../../ui/feedback/Notice.tsx';
import { QueryStates, Skeleton } from '../../../ui/feedback/PageStates.tsx';
import { BusyButton } from '../../../ui/form/BusyButton.tsx';
import { Hint } from '../../../ui/layout/text-blocks.tsx';
import { Panel } from '../../../ui/layout/Page.tsx';
import { Buttons } from '../../../ui/layout/Rows.tsx';
import { fill } from '../../../ui/text/i18n.ts';
import { ageStanding } from './age-words.ts';

/** Sends the answer with which a member returns from the provider, and removes it from the address. */
function useReturn() {
  const [params, setParams] = useSearchParams();
  const answer = useCommand(takeAgeAnswer, (given: AgeAnswer) => ({ body: given }), { waits: true });
  const { data: returned } = ageAnswerSchema.safeParse(Object.fromEntries(params));
  const take = useEffectEvent(() => {
    if (returned === undefined) return;
    setParams({}, { replace: true });
    // The provider may have sent the answer before the browser came back, in which case the state shows it.
    answer.mutate(returned);
  });
  const check = returned?.check;
  useEffect(() => take(), [check]);
  return returned !== undefined || answer.isPending;
}

/** The state of the member's age check with a link to its page; nothing if no one requires it. */
export function AgePanel() {
  const { data } = useEndpoint(getAgeCheck);
  if (data === undefined || (data.state === 'declared' && !data.canStart)) return null;
  return (
    <Panel title={t`Age`}>
      <Text mb="0.9rem">{ageStanding(data)}</Text>
      {data.canStart && (
        <Button component={Link} to="/app/verify-age" variant="default">
          {t`Confirm my age`}
        </Button>
      )}
    </Panel>
  );
}

/** The text that members read before they agree to go to the provider. */
const consent = [
  msg({
    message:
      'Your age is checked by {provider} on its own pages, and we only learn whether you are an adult. From us it learns that someone comes from {brand}, and nothing about your profile.',
  }),
  msg`We keep minors away because the law protects them. You go there only if you agree, and can leave at any time. Without a check, only what needs a confirmed age stays closed.`,
];

/** Whether the member's age is confirmed, and the button that opens the provider. */
export function ConfirmAge() {
  const isReturning = useReturn();
  const query = useEndpoint(getAgeCheck, {}, { enabled: !isReturning });
  const start = useCommand(startAgeCheck, () => ({}));
  return (
    <Stack gap="1.25rem">
      <QueryStates
        query={query}
        loadingText={t`Loading...`}
        skeleton={<Skeleton height="8rem" />}
        errorText={(error) => t`Couldn't load your age check: ${error}`}
      >
        {(age) => (
          <Panel title={age.state === 'assured' ? t`Your age is confirmed` : t`Confirm that you are an adult`}>
            <Text mb="0.9rem">{ageStanding(age)}</Text>
            {age.canStart &&
              consent.map((text) => (
                <Text key={text.id} mb="0.9rem">
                  {fill(text, { provider: age.provider ?? '' })}
                </Text>
              ))}
            <ErrorNotice error={start.error} />
            <Buttons>
              {age.canStart && (
                <BusyButton
                  isBusy={start.isPending || start.isSuccess}
                  busyText={t`Opening...`}
                  onClick={() => start.mutate(undefined, { onSuccess: ({ url }) => window.location.assign(url) })}
                >
                  {t`I agree, check my age`}
                </BusyButton>
              )}
              {age.state === 'failed' && (
                <Button component={Link} to="/app/support/new" variant="default">
                  {t`Write to Support`}
                </Button>
              )}
            </Buttons>
          </Panel>
        )}
      </QueryStates>
      <Hint>
        {t`We keep the answer and its day, and that a check was asked for, failed or expired. Nothing else of a check reaches us.`}
      </Hint>
    </Stack>
  );
}
