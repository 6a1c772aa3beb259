-- no transaction
drop index concurrently if exists profile_photo_verified;
create index concurrently profile_photo_verified on profile (photo_verified_at) where photo_verified_at is not null;
alter table notification validate constraint notification_kind_check;
