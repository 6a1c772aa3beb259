import { t } from '@lingui/core/macro';
import { getPhotoVerification } from '#contract/photo-verification.ts';
import { useEndpoint } from '../../api/endpoint-query.ts';
import { ErrorNotice } from '../../ui/feedback/Notice.tsx';
import { QueryStates } from '../../ui/feedback/PageStates.tsx';
import { CheckField } from '../../ui/form/Field.tsx';
import { useFirstContact } from './queries.ts';

/** A checkbox for whether only photo-verified people may write first; it is saved at once. */
export function FirstContactChoice() {
  const query = useEndpoint(getPhotoVerification);
  const command = useFirstContact();
  return (
    <QueryStates
      query={query}
      loadingText={t`Loading your settings...`}
      skeleton="3rem"
      errorText={(error) => t`Couldn't load your settings: ${error}`}
    >
      {({ onlyVerifiedMayWrite }) => (
        <>
          <CheckField
            name="onlyVerifiedMayWrite"
            label={t`Only photo-verified people can write first`}
            description={t`Others can still like you, but without a note, and after a match they wait until you write. You can always write first.`}
            checked={command.isPending ? command.variables : onlyVerifiedMayWrite}
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
