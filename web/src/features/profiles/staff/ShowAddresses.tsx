import { msg, plural, t } from '@lingui/core/macro';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { requestApproval } from '#contract/profiles/approvals.ts';
import { exportAloneMax, showAddresses } from '#contract/profiles/staff.ts';
import type { ListedUser } from '#contract/profiles/user.ts';
import type { listAudit } from '#contract/moderation/audit.ts';
import { keyAt } from '../../../api/endpoint-query.ts';
import { queryClient } from '../../../api/query-client.ts';
import { errorCode } from '../../../api/api-error.ts';
import { call } from '../../../api/call.ts';
import { useMay } from '../../../api/session/permission.ts';
import { ReasonButton } from '../../../ui/feedback/ReasonButton.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { formatNumber } from '../../../ui/text/format.ts';
import { putListedAddresses } from './queries.ts';
import { isMasked } from './user-filters.ts';

interface ShowAddressesProps {
  users: readonly ListedUser[];
  /** Called when the server shows these addresses in lists. */
  onShown: () => void;
}

/** For roles that see addresses: explains that some of these users' are masked, and shows them for a reason or requests an approval. */
export function ShowAddresses({ users, onShown }: ShowAddressesProps) {
  const mayShow = useMay('users.seePrivate');
  const [isRefused, setRefused] = useState(false);
  const ids = users.flatMap((user) => (isMasked(user) && user.can.act ? [user._id] : [])).slice(0, exportAloneMax);
  const show = useMutation({
    mutationFn: async (reason: string) => {
      if (isRefused) {
        const body = { kind: 'users.export' as const, columns: ['id' as const, 'email' as const], filters: {}, ids };
        await call(requestApproval, { body: { ...body, reason } });
        return null;
      }
      return (await call(showAddresses, { body: { ids, reason } })).data.addresses;
    },
    onSuccess: (addresses) => {
      if (addresses === null) return;
      putListedAddresses(addresses);
      onShown();
      void queryClient.invalidateQueries({ queryKey: keyAt<typeof listAudit>('/admin/audit') });
    },
    onError: (error) => setRefused(errorCode(error) === 'APPROVAL_REQUIRED' || isRefused),
    gcTime: 0,
  });
  if (!mayShow || ids.length === 0) return null;
  return (
    <Notice
      mb="1rem"
      kind="info"
      isNews={show.data === null}
      action={
        show.data !== null && (
          <ReasonButton
            text={t`Show addresses...`}
            button={{ variant: 'light', size: 'xs' }}
            title={t`Show the addresses?`}
            description={t`Saved in the audit trail with your name.`}
            confirm={isRefused ? t`Ask for approval` : t`Show addresses`}
            busyText={isRefused ? t`Sending...` : t`Loading...`}
            command={show}
            suggestions={[msg`Answering their request`, msg`Telling members about an incident`]}
          >
            {isRefused
              ? t`A second administrator approves exports and addresses of more than ${{ count: formatNumber(exportAloneMax) }} users within 24 hours. If there is none, you can show them after 24 hours, and an email tells you about it.`
              : t`You'll see these email addresses for 24 hours. They count towards the ${{ count: formatNumber(exportAloneMax) }} users whose data you may export on your own within 24 hours.`}
          </ReasonButton>
        )
      }
    >
      {show.data === null
        ? t`Asked for approval. You can follow it, and show the addresses, on the Team page.`
        : t`${plural(ids.length, { one: 'The email address of # user is hidden.', other: `The email addresses of ${formatNumber(ids.length)} users are hidden.` })}`}
    </Notice>
  );
}
