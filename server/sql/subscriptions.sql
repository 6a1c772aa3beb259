create function logic.farewell_to_customer() returns trigger language plpgsql as $$
begin
  insert into payment_farewell (customer_id, provider) values (old.customer_id, old.provider) on conflict do nothing;
  return null;
end $$;
create trigger payment_customer_gone after delete on payment_customer
  for each row execute function logic.farewell_to_customer();

create function logic.account_is_vip() returns trigger language plpgsql as $$
begin
  new.is_vip := exists (select from entitlement where account_id = new.id);
  return new;
end $$;
create trigger account_vip before insert or update of is_vip on account
  for each row execute function logic.account_is_vip();

create function logic.entitlement_shows() returns trigger language plpgsql as $$
begin
  update account set is_vip = (tg_op = 'INSERT') where id = coalesce(new.account_id, old.account_id);
  return null;
end $$;
create trigger entitlement_begins after insert on entitlement for each row execute function logic.entitlement_shows();
create trigger entitlement_ends after delete on entitlement for each row execute function logic.entitlement_shows();
