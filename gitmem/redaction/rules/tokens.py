"""Tokens that their providers made to be recognised: the table behind the rules.

A row has five columns, two spaces or more apart: the rule's name, what people see, the
prefix (a pattern of fixed width), what follows it, and a sample, of which the body is random
(`<A36>`; see the tests). What follows the prefix takes all that can belong to a token,
however long: what it leaves behind is kept as text. A sample cut short stays. What a row finds
is one long word (`gitmem.redaction.rule.long_words`). The shapes are those of the providers'
documentation; where it gives none, those that public scanners agree on.
"""

# ruff: noqa: E501 - a row of the table is a line

TOKENS = r"""
anthropic     sk-ant-api03-…      sk-ant-       [\w-]{20,}+  sk-ant-api03-<W93>
openrouter    sk-or-v1-…          sk-or-v1-     [\w-]{32,}+  sk-or-v1-<H64>
langfuse      sk-lf-…             sk-lf-        [a-f0-9-]{36,}+  sk-lf-<H8>-<H4>-<H4>-<H4>-<H12>
helicone      sk-helicone-…       sk-helicone-  [\w-]{20,}+  sk-helicone-<W30>
openai        sk-proj-…           sk-proj-      [\w-]{20,}+  sk-proj-<W150>
openai        sk-svcacct-…        sk-svcacct-   [\w-]{20,}+  sk-svcacct-<W150>
openai        sk-admin-…          sk-admin-     [\w-]{20,}+  sk-admin-<W150>
openai        sk-…                sk-           [A-Za-z0-9]{32,}+  sk-<A48>
openai        sess-…              sess-         [A-Za-z0-9]{40,}+  sess-<A40>
litellm       sk-… (of 22)        sk-           (?=[A-Za-z]{0,21}\d)(?=[a-z0-9]{0,21}[A-Z])[A-Za-z0-9_-]{22}(?![\w-])  sk-A1<A20>
elevenlabs    sk_…                sk_           [a-f0-9]{48,}+  sk_<H48>
novita        sk_… (of 43)        sk_           (?=[A-Za-z]{0,42}\d)(?=[a-z0-9]{0,42}[A-Z])[A-Za-z0-9]{43}(?![A-Za-z0-9])  sk_A1<A41>
hugging-face  hf_…                hf_           [A-Za-z0-9]{30,}+  hf_<E34>
hugging-face  api_org_…           api_org_      [A-Za-z0-9]{30,}+  api_org_<E34>
groq          gsk_…               gsk_          [A-Za-z0-9]{40,}+  gsk_<A52>
perplexity    pplx-…              pplx-         [A-Za-z0-9]{40,}+  pplx-<A48>
replicate     r8_…                r8_           [A-Za-z0-9]{37,}+  r8_<A37>
xai           xai-…               xai-          [A-Za-z0-9]{70,}+  xai-<A80>
cerebras      csk-…               csk-          [a-z0-9]{40,}+  csk-<L48>
nvidia        nvapi-…             nvapi-        [\w-]{60,}+  nvapi-<W64>
together      tgp_v1_…            tgp_v1_       [\w-]{40,}+  tgp_v1_<W43>
fireworks     fw_…                fw_           (?=[A-Za-z]{0,30}\d)[A-Za-z0-9]{22,}+  fw_3Z<A24>
voyage        pa-…                pa-           (?=[\w-]{0,42}\d)(?=[\w-]{0,42}[A-Z])[\w-]{43}(?![\w-])  pa-A1b<A40>
jina          jina_…              jina_         [\w-]{60,}+  jina_<W65>
firecrawl     fc-…                fc-           [a-f0-9]{32}(?![A-Za-z0-9])  fc-<H32>
tavily        tvly-…              tvly-         [\w-]{28,}+  tvly-<A32>
llamaindex    llx-…               llx-          [\w-]{40,}+  llx-<A48>
pinecone      pcsk_…              pcsk_         \w{50,}+  pcsk_<A70>
langsmith     lsv2_pt_…           lsv2_[ps][tk]_  \w{32,}+  lsv2_pt_<H43>
wandb         wandb_v1_…          wandb_v1_     \w{40,}+  wandb_v1_<A78>
kaggle        KGAT_…              KGAT_         [A-Za-z0-9]{32,}+  KGAT_<H32>
anyscale      esecret_…           esecret_      [a-z0-9]{26,}+  esecret_<L26>
modal         ak-…, as-…          ak-           (?=[A-Za-z]{0,21}\d)(?=[a-z0-9]{0,21}[A-Z])[A-Za-z0-9]{22}(?![\w-])  ak-A1b<A19>
modal         ak-…, as-…          as-           (?=[A-Za-z]{0,21}\d)(?=[a-z0-9]{0,21}[A-Z])[A-Za-z0-9]{22}(?![\w-])  as-A1b<A19>
runpod        rpa_…               rpa_          [A-Z0-9]{36,}+  rpa_<U44>
e2b           e2b_…               e2b_          [a-f0-9]{40,}+  e2b_<H40>
browserbase   bb_live_…           bb_live_      [\w-]{20,}+  bb_live_<W27>
cursor        key_…               key_          [a-f0-9]{64,}+  key_<H64>
cursor        crsr_…              crsr_         [a-f0-9]{40,}+  crsr_<H64>
posthog       phx_…, phs_…        ph[xsr]_      [A-Za-z0-9]{36,}+  phx_<A43>
brave         BSA…                BSA           (?=[A-Za-z_-]{0,27}\d)(?=[\dA-Z_-]{0,27}[a-z])[\w-]{28}(?![\w-])  BSAaB1<W25>
devin         apk_user_…          apk_          (?:user_)?[A-Za-z0-9]{50,}+=*  apk_user_<A60>
mem0          m0-…                m0-           [A-Za-z0-9]{40}(?![A-Za-z0-9-])  m0-<A40>
amp           sgamp_user_…        sgamp_user_   \w{40,}+  sgamp_user_<U26>_<H64>
letta         sk-let-…            sk-let-       [\w+/-]{40,}+=*  sk-let-<A96>
context7      ctx7sk-…            ctx7sk-       [a-f0-9-]{36,}+  ctx7sk-<H8>-<H4>-<H4>-<H4>-<H12>
cartesia      sk_car_…            sk_car_       [A-Za-z0-9]{20,}+  sk_car_<A22>
daytona       dtn_…               dtn_          [a-f0-9]{60,}+  dtn_<H64>
apify         apify_api_…         apify_api_    [A-Za-z0-9]{34,}+  apify_api_<A36>
lambda        secret_….…          secret_       [\w-]{20,60}\.[A-Za-z0-9]{32}(?![A-Za-z0-9])  secret_my-key_5f5f5f5f5f5f5f.aB3<A29>
logfire       pylf_v1_…           pylf_v        \d_[a-z]{2,4}_[A-Za-z0-9]{40,}+  pylf_v1_us_<A43>
coderabbit    cr-…                cr-           [a-f0-9]{58,}+  cr-<H58>
github        ghp_…, ghs_…        gh[opusr]_    \w{36,}+(?:\.[\w-]++)*+  ghp_<A36>
github        github_pat_…        github_pat_   \w{30,}+  github_pat_<A82>
gitlab        glpat-…, glptt-…    gl(?:pat|cbt|ptt|oas|imt|rtr)-  [\w-]{20,}+(?:\.[\w-]++)*+  glpat-<W20>
gitlab        gldt-…, glrt-…      gl[drfw]t-    [\w-]{20,}+(?:\.[\w-]++)*+  gldt-<W20>
gitlab        glsoat-…, glffct-…  gl(?:soa|ffc)t-  [\w-]{20,}+  glsoat-<W20>
gitlab        glagent-…           glagent-      [\w-]{40,}+  glagent-<W50>
gitlab        GR1348941…          GR1348941     [\w-]{20,}+  GR1348941<W20>
atlassian     ATATT3…             ATATT3        [\w=-]{60,}+  ATATT3<W180>
bitbucket     ATBB…               ATBB          [A-Za-z0-9]{28,}+  ATBB<A32>
bitbucket     ATCTT3…             ATCTT3        [\w=-]{60,}+  ATCTT3<W180>
bitbucket     BBDC-…              BBDC-         [\w+/-]{40,}+  BBDC-<B44>
trello        ATTA…               ATTA          [A-Fa-f0-9]{60,}+  ATTA<H72>
npm           npm_…               npm_          [A-Za-z0-9]{36,}+  npm_<A36>
pypi          pypi-AgE…           pypi-AgE      [\w-]{50,}+  pypi-AgE<W150>
rubygems      rubygems_…          rubygems_     [a-f0-9]{48,}+  rubygems_<H48>
crates-io     cio…                cio           [A-Za-z0-9]{32}(?![A-Za-z0-9])  cio<A32>
clojars       CLOJARS_…           CLOJARS_      [A-Za-z0-9]{60,}+  CLOJARS_<A60>
nuget         oy2…                oy2           [a-z0-9]{43}(?![A-Za-z0-9])  oy2<L43>
docker        dckr_pat_…          dckr_[po]at_  [\w-]{24,}+  dckr_pat_<W27>
docker        SWMTKN-1-…          SWMTKN-1-     [a-z0-9]{50}-[a-z0-9]{25,}+  SWMTKN-1-a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1-<L25>
docker        SWMKEY-1-…          SWMKEY-1-     [A-Za-z0-9+/]{43,}+  SWMKEY-1-<A43>
jfrog         AKCp…               AKCp          [A-Za-z0-9]{60,}+  AKCp<A69>
jfrog         cmVmdGtu…           cmVmdGtu      [A-Za-z0-9]{50,}+  cmVmdGtu<A56>
buildkite     bkua_…, bkaj_…      bk[a-z][a-z]_  [\w-]{40,}+  bkua_<H40>
circleci      CCIPAT_…            CCIP(?:AT|RJ)_  \w{40,}+  CCIPAT_<A60>
harness       pat.….….…           [ps]at\.      [\w-]{22}\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{20,}+  pat.aBaBaBaBaBaBaBaBaBaBaB.5f5f5f5f5f5f5f5f5f5f5f5f.<A20>
octopus       API-…               API-          (?=[A-Z]{0,25}\d)[A-Z0-9]{26,}+  API-1<U26>
sonarqube     squ_…, sqp_…        sq[apu]_      [a-f0-9]{40,}+  squ_<H40>
snyk          snyk_uat.…          snyk_[us]at\.  [\w.-]{30,}+  snyk_uat.<W40>
sourcegraph   sgp_…               sgp_          \w{40,}+  sgp_<H40>
codesandbox   csb_v1_…            csb_v1_       [\w-]{40,}+  csb_v1_<W43>
depot         depot_project_…     depot_        (?:project|org|user)_[a-f0-9]{60,}+  depot_project_<H64>
jsr           jsrd_…, jsrp_…      jsr[dp]_      [A-Za-z0-9]{36,}+  jsrd_<A40>
trigger-dev   tr_prod_…           tr_           (?:prod|dev|stg|preview|pat)_[A-Za-z0-9]{20,}+  tr_prod_<A20>
inngest       signkey-prod-…      signkey-      (?:prod|test|branch)-[a-f0-9]{32,}+  signkey-prod-<H64>
prefect       pnu_…, pnb_…        pn[ub]_       [A-Za-z0-9]{36,}+  pnu_<A36>
infracost     ico-…               ico-          [A-Za-z0-9]{32}(?![A-Za-z0-9-])  ico-<A32>
launchdarkly  api-…, sdk-…        api-          [a-f0-9]{8}-(?:[a-f0-9]{4}-){3}[a-f0-9]{12}(?![\w-])  api-<H8>-<H4>-<H4>-<H4>-<H12>
launchdarkly  api-…, sdk-…        sdk-          [a-f0-9]{8}-(?:[a-f0-9]{4}-){3}[a-f0-9]{12}(?![\w-])  sdk-<H8>-<H4>-<H4>-<H4>-<H12>
statsig       secret-…            secret-       [A-Za-z0-9]{40,}+  secret-<A43>
stytch        secret-live-…       secret-       (?:live|test)-[\w-]{36,}+=*  secret-live-<W36>
figma         figd_…              fig[dour]_    [\w-]{36,}+  figd_<W40>
linear        lin_api_…           lin_api_      [A-Za-z0-9]{40,}+  lin_api_<A40>
linear        lin_oauth_…         lin_oauth_    [A-Za-z0-9]{40,}+  lin_oauth_<H64>
notion        ntn_…               ntn_          [A-Za-z0-9]{40,}+  ntn_<A46>
notion        secret_…            secret_       [A-Za-z0-9]{43}(?![A-Za-z0-9])  secret_<A43>
clickup       pk_…_…              pk_           \d{4,12}_[A-Z0-9]{32,}+  pk_1234567_<U32>
asana         1/…:…               [12]/         (?:\d{10,20}/)?\d{10,20}:[a-f0-9]{32,}+  1/1201234567890123:<H32>
typeform      tfp_…               tfp_          [\w.=-]{40,}+  tfp_<W59>
contentful    CFPAT-…             CFPAT-        [\w-]{40,}+  CFPAT-<W43>
readme        rdme_…              rdme_         [a-z0-9]{60,}+  rdme_<L70>
gitbook       gb_api_…            gb_api_       [A-Za-z0-9]{40,}+  gb_api_<A40>
adobe         p8e-…               p8e-          [A-Za-z0-9]{32,}+  p8e-<A32>
frame-io      fio-u-…             fio-u-        [\w-]{60,}+  fio-u-<W64>
postman       PMAK-…              PMAK-         [a-f0-9]{24}-[a-f0-9]{34,}+  PMAK-5f5f5f5f5f5f5f5f5f5f5f5f-<H34>
wakatime      waka_…              waka_         [a-f0-9-]{36,}+  waka_<H8>-<H4>-<H4>-<H4>-<H12>
jetbrains     perm:….….…, perm-…  perm[:-]  [\w+/-]{2,}={0,2}\.[\w+/-]{2,}={0,2}\.[A-Za-z0-9]{20,}+  perm-YWRhYWRhYWRh.OTItMTIz.<A30>
sentry        sntrys_…, sntryu_…  sntry[su]_    [\w+/=-]{50,}+  sntryu_<H64>
aws           AKIA…, ASIA…        AKIA          [A-Z0-9]{16}(?![A-Za-z0-9])  AKIA<U16>
aws           AKIA…, ASIA…        ASIA          [A-Z0-9]{16}(?![A-Za-z0-9])  ASIA<U16>
aws           ABIA…, ACCA…        ABIA          [A-Z0-9]{16}(?![A-Za-z0-9])  ABIA<U16>
aws           ABIA…, ACCA…        ACCA          [A-Z0-9]{16}(?![A-Za-z0-9])  ACCA<U16>
aws           ABSK… (Bedrock)     ABSK          [A-Za-z0-9+/]{100,}+=*  ABSK<B128>
aws           bedrock-api-key-…   bedrock-api-key-  [\w+/=-]{60,}+  bedrock-api-key-<B120>
aws           IQoJb3JpZ2lu… (session token)  IQoJb3JpZ2lu  [\w+/%-]{80,}+=*  IQoJb3JpZ2lu<B300>
aws           FwoGZXIvYXdz… (session token)  FwoGZXIvYXdz  [\w+/%-]{80,}+=*  FwoGZXIvYXdz<B300>
aws           amzn.mws.…          amzn\.mws\.   [a-f0-9-]{36,}+  amzn.mws.<H8>-<H4>-<H4>-<H4>-<H12>
aws           da2-… (AppSync)     da2-          [a-z0-9]{26}(?![A-Za-z0-9-])  da2-<L26>
google        AIza…               AIza          [\w-]{35,}+  AIza<W35>
google        ya29.…              ya29\.        [\w.-]{20,}+  ya29.<W120>
google        GOCSPX-…            GOCSPX-       [\w-]{20,}+  GOCSPX-<W28>
google        1//0…               1//0          [\w-]{40,}+  1//0<W100>
google        AQ.Ab…              AQ\.Ab        [\w-]{40,}+  AQ.Ab<W48>
firebase      AAAA…:… (server key)  AAAA          [\w-]{7}:[\w-]{120,}+  AAAAabcDEF7:APA91b<W134>
alibaba       LTAI…               LTAI          (?=[A-Za-z]{0,19}\d)[A-Za-z0-9]{14,26}(?![A-Za-z0-9])  LTAI5t<A20>
tencent       AKID…               AKID          (?=[A-Za-z]{0,31}\d)[A-Za-z0-9]{28,}+  AKID1<A31>
yandex        AQVN…               AQVN          [\w-]{35,}+  AQVN<W36>
yandex        y0_…                y0_           [\w-]{50,}+  y0_<W55>
yandex        t1.….…              t1\.          [\w-]{20,}+={0,2}\.[\w-]{80,}+={0,2}  t1.9eu9eu9eu9eu9eu9eu9eu9eu9eu9eu9eu9eu.<W86>
ibm           ApiKey-…            ApiKey-       [a-f0-9]{8}-(?:[a-f0-9]{4}-){3}[a-f0-9]{12}  ApiKey-<H8>-<H4>-<H4>-<H4>-<H12>
scaleway      SCW…                SCW           (?=[A-Z]{0,16}\d)[A-Z0-9]{17}(?![A-Za-z0-9])  SCW1<U16>
exoscale      EXO…                EXO           (?=[a-f]{0,23}\d)[a-f0-9]{24}(?![A-Za-z0-9])  EXO1<H23>
digitalocean  dop_v1_…            do[oprs]_v1_  [a-f0-9]{60,}+  dop_v1_<H64>
databricks    dapi…               dapi          [a-f0-9]{32}(?:-\d)?(?![A-Za-z0-9])  dapi<H32>
dbt           dbtu_…, dbtc_…      dbt[uc]_      [\w-]{40,}+  dbtu_<W50>
heroku        HRKU-AA…            HRKU-AA       [\w-]{50,}+  HRKU-AA<W58>
fly-io        fm2_…               fm2_          [\w+/=-]{80,}+  fm2_<B400>
fly-io        fm1r_…              fm1[ar]_      [\w+/=-]{80,}+  fm1r_<B200>
fly-io        fo1_…               fo1_          [\w-]{43,}+  fo1_<W43>
render        rnd_…               rnd_          [A-Za-z0-9]{28,}+  rnd_<A28>
vercel        vcp_…, vck_…        vc[piark]_    [\w-]{24,}+  vcp_<A56>
vercel        vercel_blob_rw_…    vercel_blob_rw_  [A-Za-z0-9]{10,}_[A-Za-z0-9]{20,}+  vercel_blob_rw_a1B2c3D4e5F6g7H8_<A30>
netlify       nfp_…, nfc_…        nf[pcoub]_    [A-Za-z0-9]{36,}+  nfp_<A36>
scalingo      tk-us-…             tk-us-        [\w-]{48,}+  tk-us-<W48>
deno          ddp_…, ddo_…        dd[opw]_      [A-Za-z0-9]{36,}+  ddp_<A36>
val-town      vtwn_…              vtwn_         [A-Za-z0-9]{26,}+  vtwn_<A26>
zuplo         zpka_…              zpka_         [a-f0-9]{32}_[a-f0-9]{8}  zpka_5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f_<H8>
porkbun       pk1_…, sk1_…        [ps]k1_       [a-f0-9]{64}(?![A-Za-z0-9])  sk1_<H64>
planetscale   pscale_tkn_…        pscale_       (?:tkn|oauth|pw)_[\w.=-]{30,}+  pscale_tkn_<W43>
neon          napi_…              napi_         [a-z0-9]{40,}+  napi_<L64>
supabase      sbp_…               sbp_          (?:v0_)?[a-f0-9]{40,}+  sbp_<H40>
supabase      sb_secret_…         sb_secret_    [\w-]{24,}+  sb_secret_<W31>
convex        eyJ2MiI6… (Convex)  eyJ2MiI6      [\w+/-]{30,}+=*  eyJ2MiI6<A64>
tinybird      p.eyJ….…            p\.eyJ        [\w-]{40,}+\.[\w-]{20,}+  p.eyJAb1Ab1Ab1Ab1Ab1Ab1Ab1Ab1Ab1Ab1Ab1Ab1Ab1Ab1Ab1Ab1Ab1Ab1Ab1Ab1.<A43>
mongodb       mdb_sa_sk_…         mdb_sa_sk_    [\w-]{30,}+  mdb_sa_sk_<W40>
xata          xau_…               xau_          [A-Za-z0-9]{36,}+  xau_<A40>
aiven         AVNS_…              AVNS_         [\w-]{16,}+  AVNS_<A19>
cockroach     CCDB1_…             CCDB1_        \w{20,}_\w{30,}+  CCDB1_aB3aB3aB3aB3aB3aB3aB3_<A40>
clickhouse    4b1d…               4b1d          (?=[a-f0-9]{0,37}[A-Zg-z])[A-Za-z0-9]{38}(?![A-Za-z0-9])  4b1dZ<A37>
confluent     cflt…               cflt          (?=[a-z]{0,59}[A-Z0-9])[A-Za-z0-9+/]{56,}+  cfltA<B60>
elastic       essu_…              essu_         [\w+/=-]{40,}+  essu_<B60>
cloudflare    v1.0-… (origin CA)  v1\.0-        [a-f0-9]{24}-[a-f0-9]{100,}+  v1.0-5f5f5f5f5f5f5f5f5f5f5f5f-<H146>
cloudflare    cfut_…, cfat_…      cf[ua]t_      [A-Za-z0-9]{40,}+  cfut_<A48>
cloudflare    cfk_…               cfk_          [A-Za-z0-9]{40,}+  cfk_<A48>
cloudflare    eyJhIjoi… (tunnel)  eyJhIjoi      [\w+/-]{100,}+=*  eyJhIjoi<B150>
doppler       dp.pt.…, dp.st.…    dp\.          (?:[cps]t|sa|scim|audit)\.[\w.-]{40,}+  dp.pt.<A43>
infisical     st.….….…            st\.          [\w-]{20,}\.[a-f0-9]{20,}\.[a-f0-9]{20,}+  st.5f5f5f5f5f5f5f5f5f5f5f5f.a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1.<H32>
vault         hvs.…, hvb.…        hv[sbr]\.     [\w-]{24,}+  hvs.<W90>
pulumi        pul-…               pul-          [a-f0-9]{40,}+  pul-<H40>
tailscale     tskey-auth-…        tskey-        [a-z]{2,10}-[\w-]{12,}+  tskey-auth-k<A40>
nebula        dnkey-…             dnkey-        [A-Z2-7]{26}-[A-Z2-7]{52,}+  dnkey-ABC2ABC2ABC2ABC2ABC2ABC2AB-<U52>
openshift     sha256~…            sha256~       [\w-]{43,}+  sha256~<W43>
k3s           K10…::…             K10           [a-f0-9]{64}::(?:[\w-]{1,40}:)?[\w.]{16,}+  K105f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f::server:<H32>
rancher       token-…:…           token-        [a-z0-9]{5}:[a-z0-9]{50,}+  token-a1b2c:<L54>
1password     ops_eyJ…            ops_eyJ       [\w+/=-]{100,}+  ops_eyJ<B250>
1password     A3-…-… (secret key)  A3-           [A-Z0-9]{6}-[A-Z0-9]{6}-?[A-Z0-9]{5}(?:-[A-Z0-9]{5}){3}  A3-<U6>-<U6>-<U5>-<U5>-<U5>-<U5>
bitwarden     0.….…:…             0\.           [a-f0-9-]{36}\.[A-Za-z0-9]{30}:[A-Za-z0-9+/]{20,}+=*  0.5f5f5f5f-5f5f-5f5f-5f5f-5f5f5f5f5f5f.aB3aB3aB3aB3aB3aB3aB3aB3aB3aB3:<A22>
ory           ory_pat_…           ory_          (?:pat|at|rt|ac|wat)_[\w.-]{32,}+  ory_pat_<A32>
unkey         unkey_…             unkey_        (?=[A-Za-z]{0,23}\d)[A-Za-z0-9]{22,}+  unkey_1<A23>
age           AGE-SECRET-KEY-1…   AGE-SECRET-KEY-1  [A-Z0-9]{50,}+  AGE-SECRET-KEY-1<U58>
paseto        v4.local.…          v[1-4]\.local\.  [\w-]{40,}+(?:\.[\w-]++)?  v4.local.<W90>
paseto        v4.local.…          v[1-4]\.public\.  [\w-]{40,}+(?:\.[\w-]++)?  v4.public.<W90>
paserk        k4.secret.…         k[1-4]\.local  (?:-pw)?\.[\w-]{40,}+  k4.local.<W86>
paserk        k4.secret.…         k[1-4]\.secret  (?:-pw)?\.[\w-]{40,}+  k4.secret.<W86>
nats          SU…, SA…            S[ACNOPUX]    [A-Z2-7]{56}(?![A-Za-z0-9])  SU<U56>
dynatrace     dt0c01.…            dt0[a-z][0-9][0-9]\.  [A-Z0-9]{24}\.[A-Z0-9]{60,}+  dt0c01.A1B2A1B2A1B2A1B2A1B2A1B2.<U64>
grafana       glsa_…              glsa_         \w{32,}+  glsa_<H41>
grafana       glc_…               glc_          [\w+/=]{32,}+  glc_<B80>
grafana       eyJrIjoi…           eyJrIjoi      [\w+/=-]{60,}+  eyJrIjoi<A92>
new-relic     NRAK-…              NR(?:AK|II|RA|BR|AA)-  [A-Za-z0-9-]{19,}+  NRAK-<U27>
honeycomb     hcaik_…             hc[abx][a-z][a-z]_  [A-Za-z0-9]{40,}+  hcaik_01<L56>
axiom         xaat-…, xapt-…      xa[ap]t-      [a-f0-9-]{36,}+  xaat-<H8>-<H4>-<H4>-<H4>-<H12>
datadog       ddapp_…             ddapp_        \w{34,}+  ddapp_<A34>
checkly       cu_…                cu_           [a-f0-9]{32}(?![A-Za-z0-9])  cu_<H32>
pagerduty     u+…                 u\+           (?=[\w-]{0,17}\d)(?=[\w-]{0,17}[A-Z])[\w-]{18}(?![\w-])  u+A1b<A15>
slack         xoxb-…, xoxp-…      xox[abceoprs]  (?:\.xox[bp])?-\d[\w-]{18,}+  xoxb-1<A46>
slack         xoxd-…              xoxd-         [\w%+/-]{40,}+=*  xoxd-<W120>
slack         xapp-1-…            xapp-         \d-[\w-]{30,}+  xapp-1-A012-34567-<H64>
discord       M….….…              [MNO]         [\w-]{23,27}\.[\w-]{6}\.[\w-]{27,}+  M<A25>.<A6>.<A38>
matrix        syt_…               syt_          [\w+/=-]{4,}_[A-Za-z]{20}_\w{6,}+  syt_YWxpY2U_aBcDaBcDaBcDaBcDaBcD_<A6>
twitch        oauth:…             oauth:        (?=[a-z]{0,29}\d)[a-z0-9]{30}(?![A-Za-z0-9])  oauth:a1<L28>
sendgrid      SG.….…              SG\.          [\w-]{16,32}\.[\w-]{32,}+  SG.aB3dE5gH7jK9mN1pQ3sT5v.<W43>
brevo         xkeysib-…           xkeysib-      [a-f0-9]{64}-[A-Za-z0-9]{16,}+  xkeysib-5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f-<A16>
brevo         xsmtpsib-…          xsmtpsib-     [a-f0-9]{64}-[A-Za-z0-9]{16,}+  xsmtpsib-5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f-<A16>
mailersend    mlsn.…              mlsn\.        [a-f0-9]{60,}+  mlsn.<H64>
resend        re_…_…              re_           [A-Za-z0-9]{8}_[A-Za-z0-9]{20,}+  re_A1b2C3d4_<A24>
mandrill      md-…                md-           (?=[A-Za-z_-]{0,21}\d)(?=[a-z\d_-]{0,21}[A-Z])[\w-]{22}(?![\w-])  md-A1<A20>
klaviyo       pk_…                pk_           [a-f0-9]{34}(?![A-Za-z0-9])  pk_<H34>
hubspot       pat-na1-…           pat-          [a-z]{2}\d-[a-f0-9]{8}-(?:[a-f0-9]{4}-){3}[a-f0-9]{12}  pat-na1-<H8>-<H4>-<H4>-<H4>-<H12>
intercom      dG9rOj…             dG9rOj        [A-Za-z0-9+/]{40,}+=*  dG9rOj<A60>
salesforce    00D…!…              00D           [A-Za-z0-9]{12,15}![\w.]{60,}+  00DA0000000abcd!<A96>
nylas         nyk_v0_…            nyk_v0_       \w{30,}+  nyk_v0_<A64>
mapbox        sk.eyJ….…           sk\.eyJ       [\w-]{50,}+\.[\w-]{20,}+  sk.eyJ1Ab1Ab1Ab1Ab1Ab1Ab1Ab1Ab1Ab1Ab1Ab1Ab1Ab1Ab1Ab1Ab1Ab1Ab1Ab1Ab1.<A22>
twilio        SK…                 SK            [a-f0-9]{32}(?![A-Za-z0-9])  SK<H32>
stripe        sk_live_…           [sr]k_(?:live|test|prod)_  [A-Za-z0-9]{10,}+  sk_live_<A24>
stripe        whsec_…             whsec_        [A-Za-z0-9+/]{24,}+=*  whsec_<B32>
square        sq0atp-…, sq0csp-…  sq0(?:atp|csp)-  [\w-]{22,}+  sq0atp-<W22>
square        EAAA…               EAAA          [\w-]{60}(?![\w-])  EAAA<W60>
paypal        access_token$…$…$…  access_token\$  (?:production|sandbox)\$[a-z0-9]{16}\$[a-f0-9]{32,}+  access_token$production$a1b2a1b2a1b2a1b2$<H32>
adyen         AQE…                AQE           [a-z]hm[A-Za-z0-9+/=_-]{60,}+  AQEyhm<B90>
plaid         access-production-…  access-       (?:production|sandbox|development)-[a-f0-9-]{36,}+  access-production-<H8>-<H4>-<H4>-<H4>-<H12>
flutterwave   FLWSECK-…           FLWSECK       (?:_TEST)?-[a-z0-9]{32}-X  FLWSECK-<H32>-X
paddle        pdl_live_apikey_…   pdl_          (?:live|sdbx)_apikey_\w{40,}+  pdl_live_apikey_<A53>
polar         polar_oat_…         polar_        (?:oat|pat|whs|cs|cst|at_o|at_u|rt_o|rt_u|ci|rst)_[A-Za-z0-9]{30,}+  polar_oat_<A43>
shopify       shpat_…, shpss_…    shp(?:at|ca|pa|ss|ua|rt)_  [A-Fa-f0-9]{32,}+  shpat_<H32>
shopify       atkn_…              atkn_         [A-Za-z0-9]{32,}+  atkn_<A40>
wix           IST.eyJ…            IST\.eyJ      [\w.-]{100,}+  IST.eyJ<A200>
shippo        shippo_live_…       shippo_       (?:live|test)_[a-f0-9]{40,}+  shippo_live_<H40>
duffel        duffel_live_…       duffel_       (?:live|test)_[\w=-]{40,}+  duffel_live_<W43>
mollie        live_…              live_         (?=[A-Za-z]{0,29}\d)[A-Za-z0-9]{30,40}(?![A-Za-z0-9])  live_1<A31>
easypost      EZAK…               EZ[AT]K       [A-Za-z0-9]{54,}+  EZAK<A54>
meta          EAA…                EAA           [A-Za-z0-9]{80,}+  EAA<A150>
instagram     IGQV…, IGAA…        IG(?:QV|AA)   [\w-]{80,}+=*  IGQV<A150>
x             AAAA…%3D…           AAAAAAAAAAAAAAAAAAAAA  [A-Za-z0-9]{5,60}%[A-Za-z0-9%]{30,}+  AAAAAAAAAAAAAAAAAAAAAAMLheAAAAAAA0%2B<A60>
linkedin      WPL_AP1.…           WPL_AP1\.     [\w.=/+-]{10,}+  WPL_AP1.<A24>
dropbox       sl.…                sl\.          (?:u\.)?(?=[\w-]{0,60}\d)[\w-]{70,}+  sl.u.A1<W130>
airtable      pat….…              pat           [A-Za-z0-9]{14}\.[a-f0-9]{64,}+  pataB3dE5gH7jK9mN.<H64>
adafruit      aio_…               aio_          (?=[A-Za-z]{0,27}\d)[A-Za-z0-9]{28}(?![A-Za-z0-9])  aio_1<A27>
riot          RGAPI-…             RGAPI-        [a-f0-9-]{36,}+  RGAPI-<H8>-<H4>-<H4>-<H4>-<H12>
extended-key  xprv…               xprv          [1-9A-HJ-NP-Za-km-z]{100,}+  xprv<S107>
nostr         nsec1…              nsec1         [a-z0-9]{58}(?![A-Za-z0-9])  nsec1<L58>
sui           suiprivkey1…        suiprivkey1   [a-z0-9]{50,}+  suiprivkey1<L59>
wif           5H…, 5J… (private key)  5[HJK]  (?=[A-Za-z]{0,47}\d)[1-9A-HJ-NP-Za-km-z]{48,49}(?![A-Za-z0-9])  5J<S49>
wif           K…, L… (private key)  [KL]  (?=[A-Za-z]{0,50}\d)(?=[A-Z\d]{0,50}[a-z])[1-9A-HJ-NP-Za-km-z]{51}(?![A-Za-z0-9])  L1a<S49>
"""
