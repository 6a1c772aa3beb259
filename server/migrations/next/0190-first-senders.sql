-- In which order accounts first sent a text, so that later copies don't count against the account that wrote it; and to whom they
-- sent it last, so that accounts that send it to each other don't count.
alter table text_print add column seq bigint generated always as identity,
  add column receiver_id uuid references account on delete set null;
create index text_print_seq on text_print (print, seq);
create index text_print_receiver on text_print (receiver_id) where receiver_id is not null;
