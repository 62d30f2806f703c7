# any lines
# leaves some.txt
echo 'no profile' >some.txt
"$ATOMC" import some.txt -o folder
