import { t } from '@lingui/core/macro';
import { IconBell } from '@tabler/icons-react';
import { Link } from 'react-router';
import { getNotificationSettings } from '#contract/notifications.ts';
import { useEndpoint } from '../../../api/endpoint-query.ts';
import { ErrorNotice } from '../../../ui/feedback/Notice.tsx';
import { BusyButton } from '../../../ui/form/BusyButton.tsx';
import { formatDistance } from '../../../ui/text/distance.ts';
import { isAlertOn, usePreferences, useTellMe } from '../queries.ts';

/** Offers to notify the member when someone new fits, or says that this is on and where it can be changed. */
export function AlertOffer({ onDone }: { onDone: () => void }) {
  const settings = useEndpoint(getNotificationSettings).data?.settings;
  const preferences = usePreferences().data;
  const tellMe = useTellMe();
  if (settings === undefined || preferences === undefined) return null;
  if (isAlertOn(settings))
    return (
      <p>
        {t`We'll tell you when someone new fits.`} <Link to="/app/settings/notifications">{t`Change or turn off`}</Link>
      </p>
    );
  const { distance } = preferences;
  return (
    <>
      <ErrorNotice error={tellMe.error} text={(error) => t`Couldn't turn this on: ${error}`} />
      <BusyButton
        py="0.4rem"
        isBusy={tellMe.isPending}
        busyText={t`Turning on...`}
        leftSection={<IconBell size={18} stroke={1.75} aria-hidden="true" />}
        onClick={() => tellMe.mutate(undefined, { onSuccess: onDone })}
      >
        {distance?.required === true
          ? t`Tell me when someone new fits within ${{ distance: formatDistance(distance.maxKm) }}`
          : t`Tell me when someone new fits`}
      </BusyButton>
    </>
  );
}
