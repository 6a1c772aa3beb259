import type { Generated } from 'kysely';
import type { MailTime, NotificationKind } from '#contract/notifications.ts';

declare module '../../platform/db/schema.ts' {
  interface Database {
    // Which notifications members receive, and how.
    notification: {
      id: Generated<string>;
      account_id: string;
      kind: NotificationKind | 'export';
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
}
