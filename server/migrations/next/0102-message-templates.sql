-- Templates can also be for first messages to members who have not written.
alter table reply_template drop constraint reply_template_kind_check;
alter table reply_template add constraint reply_template_kind_check
  check (kind in ('reply', 'message', 'facts', 'answer')) not valid;
insert into reply_template (version, name, body, created_by, kind) values
  (1, 'Ask about the profile', 'Hi {firstName}, we have a question about your profile. Could you answer right here? Nothing about your account has changed. We ask: ', 'Heartwood', 'message'),
  (1, 'Check on an account', 'Hi {firstName}, we saw activity on your account that may not be yours. Please choose a new password and sign out your other devices in the settings. Write to us here if you did not do this yourself.', 'Heartwood', 'message'),
  (1, 'News about a payment', 'Hi {firstName}, we are writing about your premium membership. You do not have to do anything: ', 'Heartwood', 'message')
on conflict do nothing;
