-- Removing an address takes effect at once, and a block that only an address demands hides the one who stored it from its owner, not the
-- owner from them. The blocks of addresses that are being removed are few, and found by their blockers.
with removed as (delete from known_address where removed_at is not null returning account_id, address_hash),
  kept as (update block b set by_address = null from removed r
    where b.blocker_id = r.account_id and b.by_address = r.address_hash and not b.is_by_address_only),
  lifted as (delete from block b using removed r
    where b.blocker_id = r.account_id and b.by_address = r.address_hash and b.is_by_address_only)
select;
alter table known_address drop column removed_at;
