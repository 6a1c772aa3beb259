import { AssignedNotice } from '../features/moderation/cases/AssignedNotice.tsx';
import { ServiceBanner } from '../features/service/ServiceBanner.tsx';

/** The notices for staff on every page. */
export function StaffNotices() {
  return (
    <>
      <ServiceBanner />
      <AssignedNotice />
    </>
  );
}
