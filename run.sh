. /tmp/trees/r19.sh
S=/work/shared/data
st(){ n=$1; shift; /usr/bin/time -f "%e s %U user" nice python -m likely study "$@" -o /tmp/r19/s/$n >/tmp/r19/s/$n.out 2>/tmp/r19/s/$n.err; echo "$n exit $?" >>/tmp/r19/s/done; }
st heart $S/mixed/heart_disease.csv --target num
st credit $S/mixed/credit_approval.csv --target class --reject 0.2
st titanic $S/mixed/titanic.csv.gz --target survived
st noise /tmp/r19/d/noise.csv --target verdict
st claims /tmp/r19/d/claims.csv --target defaulted
st adult /tmp/r19/d/adult.csv --target income
st soybean $S/mixed/soybean.csv.gz --target class
st spambase $S/numeric/spambase.csv.gz --target class
st sms $S/text/sms_spam.jsonl.gz --target label
st covertype /tmp/r19/d/covertype.csv --target Cover_Type
st claims_time /tmp/r19/d/claims.csv --target defaulted --time opened --drop collection_fee
st claims_groups /tmp/r19/d/claims.csv --target defaulted --groups customer --drop collection_fee
st adult_split /tmp/r19/d/adult.csv --target income --split split --keep-best
