import { t } from '@lingui/core/macro';
import { useMutation, useQuery } from '@tanstack/react-query';
import { showLastActive } from '#contract/profiles/profiles.ts';
import { call } from '../../../api/call.ts';
import { completed } from '../../../api/completed.ts';
import { queryClient } from '../../../api/query-client.ts';
import { ErrorNotice } from '../../../ui/feedback/Notice.tsx';
import { QueryStates } from '../../../ui/feedback/PageStates.tsx';
import { CheckField } from '../../../ui/form/Field.tsx';
import { ownProfileQuery } from './queries.ts';

/** A checkbox for whether others can see when the member was last active; it is saved at once. */
export function LastActiveChoice() {
  const query = useQuery({
    ...ownProfileQuery,
    select: ({ privacySettings }) => completed(privacySettings, { showLastActive: false }).showLastActive,
  });
  const command = useMutation({
    mutationFn: async (isShown: boolean) =>
      (await call(showLastActive, { body: { showLastActive: isShown } })).data.privacySettings,
    onSuccess: (privacySettings) =>
      queryClient.setQueryData(ownProfileQuery.queryKey, (known) => known && { ...known, privacySettings }),
  });
  return (
    <QueryStates
      query={query}
      loadingText={t`Loading your settings...`}
      skeleton="3rem"
      errorText={(error) => t`Couldn't load your settings: ${error}`}
    >
      {(isShown) => (
        <>
          <CheckField
            name="showLastActive"
            label={t`Show others when I was last active`}
            description={t`This works both ways: if you hide it, you don't see it for others either. It also hides when you and your matches read or type messages.`}
            checked={command.isPending ? command.variables : isShown}
            onChange={(event) => !command.isPending && command.mutate(event.currentTarget.checked)}
          />
          <div role="status" className="visually-hidden">
            {command.isSuccess && t`Saved.`}
          </div>
          <ErrorNotice error={command.error} text={(error) => t`Couldn't change this: ${error}`} />
        </>
      )}
    </QueryStates>
  );
}
