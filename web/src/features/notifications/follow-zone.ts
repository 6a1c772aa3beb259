import { getNotificationSettings, putNotificationSettings } from '#contract/notifications.ts';
import { call } from '../../api/call.ts';
import { keys } from '../../api/keys.ts';
import { queryClient } from '../../api/query-client.ts';
import { tabStorage } from '../../browser-storage.ts';
import { ownZone } from '../../ui/text/own-zone.ts';

/** The zone that was already applied in this tab. */
const doneEntry = 'quiet-zone';

/** Moves the member's quiet hours to the device's time zone, once per visit, because people travel. Never fails. */
export async function followZone(): Promise<void> {
  const zone = ownZone();
  if (tabStorage.read(doneEntry) === zone) return;
  try {
    const { quiet } = (await call(getNotificationSettings)).data;
    if (quiet && quiet.zone !== zone) {
      const { data } = await call(putNotificationSettings, { body: { quiet: { ...quiet, zone } } });
      queryClient.setQueryData(keys.quietHours, data.quiet ?? null);
    }
    tabStorage.write(doneEntry, zone);
  } catch {
    // The next visit tries again.
  }
}
