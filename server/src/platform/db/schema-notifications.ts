import type { ColumnType, Generated } from 'kysely';
import type { MailTime, NotificationKind } from '#contract/notifications.ts';

type Moment = ColumnType<Date, Date | string, Date | string>;
type MaybeMoment = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;

/** What members are told of, and how. */
export interface NotificationTables {
  notification: {
    id: Generated<string>;
    account_id: string;
    kind: NotificationKind;
    subject_id: string;
    at: Moment;
    read_at: MaybeMoment;
    mail_due_at: MaybeMoment;
  };
  notification_choice: { account_id: string; kind: NotificationKind; mail: MailTime; push: boolean };
  push_subscription: {
    session_id: string;
    account_id: string;
    endpoint: string;
    p256dh: string;
    auth: string;
    created_at: Moment;
  };
}
