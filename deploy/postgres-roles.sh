#!/bin/sh
# The two roles and the database of the service (docs/operations.md, "A PostgreSQL of your own"), made once, as a superuser.
set -eu
psql -v ON_ERROR_STOP=1 -v owner="$ZW_DB_PASSWORT" -v requests="$ZW_DB_PASSWORT_ANFRAGEN" \
  -U "${POSTGRES_USER:-postgres}" -d postgres <<'SQL'
CREATE ROLE zaehlwerk LOGIN BYPASSRLS PASSWORD :'owner';
CREATE ROLE zaehlwerk_anfrage LOGIN PASSWORD :'requests';
GRANT zaehlwerk_anfrage TO zaehlwerk;
CREATE DATABASE zaehlwerk OWNER zaehlwerk ENCODING 'UTF8' TEMPLATE template0;
REVOKE CONNECT ON DATABASE zaehlwerk FROM PUBLIC;
GRANT CONNECT ON DATABASE zaehlwerk TO zaehlwerk, zaehlwerk_anfrage;
SQL
