import { AssignedNotice } from '../features/moderation/cases/AssignedNotice.tsx';
import { ServiceBanner } from '../features/service/ServiceBanner.tsx';

/** What staff are told on every page. */
export function StaffNotices() {
  return (
    <>
      <ServiceBanner />
      <AssignedNotice />
    </>
  );
}
